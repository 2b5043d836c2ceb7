// Simulates how 100 000 daemons reconnect after losing a server at the same moment. Prints CSV: one line per
// scenario and second after the outage.

let scenarios: [(name: String, loss: Fleet.OutageKind, outage: Duration)] = [
    ("broken for 2 s", .broken, .seconds(2)),
    ("broken for 5 s", .broken, .seconds(5)),
    ("broken for 10 s", .broken, .seconds(10)),
    ("broken for 30 s", .broken, .seconds(30)),
    ("broken for 2 min", .broken, .seconds(120)),
    ("broken for 10 min", .broken, .seconds(600)),
    ("broken for 1 h", .broken, .seconds(3600)),
    ("ended, retry: 10 s", .ended(retry: .seconds(10)), .zero),
    ("ended, retry: 60 s", .ended(retry: .seconds(60)), .zero),
    ("503, Retry-After: 60", .refused(floor: .seconds(60)), .seconds(1)),
    ("503, Retry-After: 60, for 10 min", .refused(floor: .seconds(60)), .seconds(600)),
]

print("scenario;second;arrivals")
var fleet = Fleet(size: 100_000, seed: 1)
for scenario in scenarios {
    let arrivals = fleet.simulateArrivals(after: scenario.loss, lasting: scenario.outage)
    for (second, count) in arrivals.perSecond.enumerated() { print("\(scenario.name);\(second);\(count)") }
}
