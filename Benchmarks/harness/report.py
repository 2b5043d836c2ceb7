"""The result table, and the figures as JSON."""
import json

# The columns: title, name of the figure, unit, budget of cutied, target of cutied. A value with × is a
# multiple of the result of `C, durable`, a value with ≥ is a minimum, and any other value is a maximum.
ROWS = [
    ("event → Notify, p50", "latency_p50_ms", "ms", "1.4 ×", "1.2 ×"),
    ("event → Notify, p95", "latency_p95_ms", "ms", "", ""),
    ("event → Notify, p99", "latency_p99_ms", "ms", "", ""),
    ("CPU per event", "cpu_per_event_ms", "ms", "1.75 ×", "1.3 ×"),
    ("cold event → Notify, p50", "cold_p50_ms", "ms", "2.0 ×", "1.4 ×"),
    ("CPU of a cold event", "cold_cpu_ms", "ms", "2.0 ×", "1.4 ×"),
    ("page faults of a cold event", "cold_faults", "", "", ""),
    ("instructions: stored and shown, alone", "instructions_shown", "k", "770", "650"),
    ("instructions: stored, in chunks of 50", "instructions_stored", "k", "", ""),
    ("database pages written per event", "pages", "", "9", ""),
    ("anonymous, idle (RssAnon)", "idle_RssAnon_kB", "kB", "6144", "4608"),
    ("anonymous, idle over TLS", "idle_tls_RssAnon_kB", "kB", "6144", "4608"),
    ("anonymous after 30 events", "used_30_RssAnon_kB", "kB", "6144", "4608"),
    ("anonymous after 300 events", "used_300_RssAnon_kB", "kB", "6144", "4608"),
    ("anonymous {rest} later", "rested_RssAnon_kB", "kB", "6144", "4608"),
    ("resident, idle (VmRSS)", "idle_VmRSS_kB", "kB", "", ""),
    ("resident after 30 events", "used_30_VmRSS_kB", "kB", "", ""),
    ("resident after 300 events", "used_300_VmRSS_kB", "kB", "", ""),
    ("resident {rest} later", "rested_VmRSS_kB", "kB", "", ""),
    ("proportional, idle (Pss)", "idle_Pss_kB", "kB", "", ""),
    ("RssAnon grown by {flood} events", "flood_kB", "kB", "1024", ""),
    ("context switches per heartbeat, idle", "switches_per_heartbeat", "", "3", ""),
    ("context switches per minute, idle", "switches_per_minute", "", "", ""),
    ("start → request for the stream", "start_to_stream_ms", "ms", "", ""),
    ("start → READY", "start_to_ready_ms", "ms", "", ""),
    ("`ctl status`, whole process", "ctl_status_ms", "ms", "9", "5"),
    ("burst of 10 000, durable", "burst_per_second", "/s", "≥ 20000", ""),
]
# The rows of the history table: title with unit, name of the figure, budget.
HISTORY = [
    ("burst, /s", "burst_per_second", "≥ 10000"),
    ("CPU in a burst, ms", "burst_cpu_ms", ""),
    ("CPU of a single event, ms", "event_cpu_ms", ""),
    ("RssAnon, kB", "RssAnon_kB", ""),
    ("`inbox`, ms", "inbox_ms", ""),
    ("`search` for a rare word, p95, ms", "search_rare_p95_ms", "300"),
    ("`search` for a word in each message, p95, ms", "search_common_p95_ms", "500"),
    ("longest reply during the search for this word, ms", "during_search_ms", "60"),
]
REFERENCE, MEASURED = "C, durable", "cutied"


def is_met(budget, value, reference=None):
    """Returns whether a value is within a budget. Also returns True if the budget, the value or the reference is
    missing."""
    if not budget or value is None:
        return True
    if budget.endswith("×"):
        return reference is None or value <= float(budget.split()[0]) * reference
    if budget.startswith("≥"):
        return value >= float(budget.split()[1])
    return value <= float(budget)


def missed(results):
    """Returns a sentence for each budget that the results exceed."""
    sentences = []
    for title, key, unit, budget, _ in ROWS:
        values = results["figures"].get(key, {})
        if not is_met(budget, values.get(MEASURED), values.get(REFERENCE)):
            sentences.append("%s: %s %s, at most %s" % (
                title.format(**results), number(values[MEASURED]), unit, budget))
    for level, step in results["history"].items():
        sentences += [
            "%s, %s messages: %s, at most %s" % (title, level, number(step[key]), budget)
            for title, key, budget in HISTORY if not is_met(budget, step.get(key))]
    watched = results.get("watched", {})
    if watched and watched[max(watched)] > 1.2 * watched[min(watched)]:
        sentences.append("event → Notify with %d watchers: %s ms, at most 1.2 × that with %d" % (
            max(watched), number(watched[max(watched)]), min(watched)))
    return [sentence.replace("at most ≥", "at least") for sentence in sentences]


def number(value):
    if value is None:
        return "–"
    return "%.2f" % value if abs(value) < 10 else "%.1f" % value if abs(value) < 100 else "%.0f" % value


def table(results):
    names = results["contenders"]
    lines = [
        "| | %s | cutied ÷ C, durable | budget | aim |" % " | ".join(name.replace("|", "\\|") for name in names),
        "|---|%s--:|---|---|" % ("--:|" * len(names))]
    for title, key, unit, budget, aim in ROWS:
        values = results["figures"].get(key)
        if values is None:
            continue
        cells = [number(values.get(name)) for name in names]
        reference, own = values.get(REFERENCE), values.get(MEASURED)
        ratio = "%.2f" % (own / reference) if reference and own else ""
        title = title.format(**results)
        lines.append("| %s%s | %s | %s | %s | %s |" % (
            title, ", " + unit if unit else "", " | ".join(cells), ratio, budget, aim))
    return "\n".join(lines)


def history(results):
    lines = [
        "| messages stored before | %s |" % " | ".join(title for title, _, _ in HISTORY),
        "|%s" % ("--:|" * (len(HISTORY) + 1)),
        "| budget | %s |" % " | ".join(budget for _, _, budget in HISTORY)]
    for level, step in results["history"].items():
        lines.append("| %s | %s |" % (level, " | ".join(number(step.get(key)) for _, key, _ in HISTORY)))
    return "\n".join(lines)


def insert(table, path):
    """Replaces the result table in README.md."""
    with open(path) as file:
        before, begin, rest = file.read().partition("<!-- make bench writes this table -->\n")
    _, end, after = rest.partition("<!-- end of the table -->\n")
    if not end:
        raise ValueError("%s has no place for the table" % path)
    with open(path, "w") as file:
        file.write("%s%s%s\n%s%s" % (before, begin, table, end, after))


def watched(results):
    lines = ["| clients that follow the log | event → Notify, p50, ms |", "|--:|--:|"]
    lines += ["| %s | %s |" % (count, number(value)) for count, value in results["watched"].items()]
    return "\n".join(lines)


def readme(results):
    """Returns the rows of the table in README.md, from this run."""
    names = ("C", REFERENCE, "python", MEASURED)
    rows = [
        ("event → notification, median", "latency_p50_ms", "%.2f ms", 1),
        ("the same after several idle minutes", "cold_p50_ms", "%.2f ms", 1),
        ("CPU per event", "cpu_per_event_ms", "%.2f ms", 1),
        ("the same after several idle minutes", "cold_cpu_ms", "%.2f ms", 1),
        ("instructions per event", "instructions_shown", "%.0f k", 1),
        ("anonymous memory, idle", "idle_RssAnon_kB", "%.1f MB", 1000),
        ("anonymous memory after 300 events", "used_300_RssAnon_kB", "%.1f MB", 1000),
        ("resident memory after 300 events", "used_300_VmRSS_kB", "%.1f MB", 1000),
        ("wake-ups per heartbeat, idle", "switches_per_heartbeat", "%.0f", 1),
        ("replies stored, in a burst", "burst_per_second", "%.0f /s", 1)]
    budgets = {key: budget for _, key, _, budget, _ in ROWS}
    lines = ["| | %s | ÷ C, durable | budget |" % " | ".join(names), "|---|--:|--:|--:|--:|--:|--:|"]
    for title, key, form, divisor in rows:
        values = results["figures"].get(key, {})
        cells = [form % (values[name] / divisor) if name in values else "–" for name in names]
        own, reference = values.get(MEASURED), values.get(REFERENCE)
        lines.append("| %s | %s | %s | %s |" % (
            title, " | ".join(cells), "%.2f" % (own / reference) if own and reference else "",
            form % (float(budgets[key]) / divisor) if budgets[key].isdigit() else budgets[key]))
    most = max(results["history"], key=int)
    lines.append("| the same, with %s messages stored | – | – | – | %.0f /s | | ≥ 10000 |" % (
        "{:,}".format(int(most)).replace(",", " "), results["history"][most]["burst_per_second"]))
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
    parts += [render(results) for key, render in (("history", history), ("watched", watched), ("herd", herd))
              if results.get(key)]
    return "\n\n".join(parts) + "\n"


def save(results, path):
    with open(path, "w") as file:
        json.dump(results, file, indent=1, ensure_ascii=False)
        file.write("\n")
