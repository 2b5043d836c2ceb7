#!/bin/bash
# Fuzzes the parsers of external input. Compiles the pure modules with the instrumentation of libFuzzer.
# Stores new inputs in .build/fuzz. Usage: fuzz.sh SECONDS [SUBJECT...]
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=$1
subjects=("${@:2}")
[ ${#subjects[@]} -gt 0 ] || mapfile -t subjects < <(ls Tests/Corpus)
folders=(Sources/Core/{JSONReading,Localization,Reasons,EventSource,Varlink,CutieAPI,YAML,Config,OAuth,RSD2} Tests/Fuzzing)
out=.build/fuzz
mkdir -p $out

flags=(
    -O -g -wmo -parse-as-library -swift-version 6 -package-name cutied "-sanitize=fuzzer,address"
    -I "$out" -Xcc -fmodule-map-file=Sources/C/Libyaml/module.modulemap
    -Xcc -fmodule-map-file=Sources/C/CIntl/include/module.modulemap
)
for feature in ExistentialAny InternalImportsByDefault MemberImportVisibility NonisolatedNonsendingByDefault; do
    flags+=(-enable-upcoming-feature "$feature")
done

if ! [ -e $out/fuzz ] || [ -n "$(find "${folders[@]}" Sources/C/CIntl -newer $out/fuzz)" ]; then
    for folder in "${folders[@]}"; do
        module=${folder##*/}
        swiftc "${flags[@]}" -module-name "$module" -emit-module -emit-module-path "$out/$module.swiftmodule" \
            -c -o "$out/$module.o" "$folder"/*.swift
    done
    clang -O -I Sources/C/CIntl/include -c -o $out/CIntl.o Sources/C/CIntl/catalogues.c
    objects=("$out/CIntl.o")
    for folder in "${folders[@]}"; do objects+=("$out/${folder##*/}.o"); done
    # Uses lld, because the gold linker prints warnings about symbols of the sanitizer.
    swiftc -sanitize=fuzzer,address -use-ld=lld -o $out/fuzz "${objects[@]}" -lyaml
fi

for subject in "${subjects[@]}"; do
    mkdir -p "$out/$subject"
    log=$out/$subject.log
    # Disables the backtrace of Swift, which hangs after the backtrace of the sanitizer.
    if ! CUTIED_FUZZ=$subject ASAN_OPTIONS=detect_leaks=0 SWIFT_BACKTRACE=enable=no $out/fuzz \
        -max_total_time="$seconds" -max_len=4096 -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 \
        -artifact_prefix="$out/$subject-" "$out/$subject" "Tests/Corpus/$subject" >"$log" 2>&1; then
        grep -a 'Fatal error' "$log" || tail -n 40 "$log"
        echo "fuzz: $subject fails; the input is in $out/$subject-*, all that was said in $log" >&2
        exit 1
    fi
    echo "$subject: $(sed -n 's/^stat::number_of_executed_units: *//p' "$log") inputs in $seconds s"
done
