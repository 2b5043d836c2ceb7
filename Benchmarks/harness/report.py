"""The result table, and the figures as JSON."""
import json

# Title, figure, unit and limit for cutied: a multiple of `C, durable` (×) or an absolute value.
ROWS = [
    ("event → Notify, p50", "latency_p50_ms", "ms", "1.5 ×"),
    ("event → Notify, p95", "latency_p95_ms", "ms", ""),
    ("event → Notify, p99", "latency_p99_ms", "ms", ""),
    ("CPU per event", "cpu_per_event_ms", "ms", "1.6 ×"),
    ("anonymous, idle (RssAnon)", "idle_RssAnon_kB", "kB", "6144"),
    ("anonymous, idle over TLS", "idle_tls_RssAnon_kB", "kB", "6144"),
    ("anonymous after 30 events", "used_RssAnon_kB", "kB", ""),
    ("anonymous 10 minutes later", "rested_RssAnon_kB", "kB", ""),
    ("resident, idle (VmRSS)", "idle_VmRSS_kB", "kB", ""),
    ("resident after 30 events", "used_VmRSS_kB", "kB", ""),
    ("resident 10 minutes later", "rested_VmRSS_kB", "kB", ""),
    ("proportional, idle (Pss)", "idle_Pss_kB", "kB", ""),
    ("RssAnon grown by {flood} events", "flood_kB", "kB", "1024"),
    ("context switches a heartbeat, idle", "switches_per_heartbeat", "", "3"),
    ("context switches a minute, idle", "switches_per_minute", "", ""),
    ("start → asks for the stream", "start_to_stream_ms", "ms", ""),
    ("start → READY", "start_to_ready_ms", "ms", ""),
    ("`ctl status`, whole process", "ctl_status_ms", "ms", "12"),
    ("burst of 10 000, durable", "burst_per_second", "/s", "≥ 20000"),
    ("instructions: stored, in chunks of 50", "instructions_stored", "k", ""),
    ("instructions: stored and shown, alone", "instructions_shown", "k", "950"),
]


def number(value):
    if value is None:
        return "–"
    return "%.2f" % value if abs(value) < 10 else "%.1f" % value if abs(value) < 100 else "%.0f" % value


def table(results):
    names = results["contenders"]
    lines = [
        "| | %s | cutied ÷ C, durable | at most |" % " | ".join(name.replace("|", "\\|") for name in names),
        "|---|%s--:|---|" % ("--:|" * len(names))]
    for title, key, unit, limit in ROWS:
        values = results["figures"].get(key)
        if values is None:
            continue
        cells = [number(values.get(name)) for name in names]
        limit_of, own = values.get("C, durable"), values.get("cutied")
        ratio = "%.2f" % (own / limit_of) if limit_of and own else ""
        title = title.format(**results)
        lines.append("| %s%s | %s | %s | %s |" % (
            title, ", " + unit if unit else "", " | ".join(cells), ratio, limit))
    return "\n".join(lines)


def history(results):
    lines = [
        "| messages before | burst, /s | CPU in a burst, ms | CPU of one alone, ms | RssAnon, kB "
        "| `inbox`, ms | `search` for a rare word, p95, ms | for one in each message, p95, ms "
        "| reply during that search, ms |", "|--:|--:|--:|--:|--:|--:|--:|--:|--:|"]
    for level, step in results["history"].items():
        keys = (
            "burst_per_second", "burst_cpu_ms", "event_cpu_ms", "RssAnon_kB", "inbox_ms", "search_rare_p95_ms",
            "search_common_p95_ms", "during_search_ms")
        lines.append("| %s | %s |" % (level, " | ".join(number(step.get(key)) for key in keys)))
    return "\n".join(lines)


def herd(results):
    lines = [
        "| 100 000 daemons lose the server | first second | busiest second | all back after |", "|---|--:|--:|--:|"]
    for name, arrivals in results["herd"].items():
        first, most = (count / sum(arrivals) * 100 for count in (arrivals[0], max(arrivals)))
        lines.append("| %s | %.2f %% | %.2f %% | %d s |" % (name, first, most, len(arrivals)))
    return "\n".join(lines)


def text(results):
    parts = [results["machine"]] + results["missing"] + [table(results)]
    parts += [render(results) for key, render in (("history", history), ("herd", herd)) if results.get(key)]
    return "\n\n".join(parts) + "\n"


def save(results, path):
    with open(path, "w") as file:
        json.dump(results, file, indent=1, ensure_ascii=False)
        file.write("\n")
