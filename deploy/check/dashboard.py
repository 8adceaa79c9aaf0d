"""Prints the queries of a Grafana dashboard as Prometheus rules, which promtool can read: `dashboard.py FILE`."""

import json
import sys

with open(sys.argv[1]) as file:
    dashboard = json.load(file)

queries = [target["expr"] for panel in dashboard["panels"] for target in panel.get("targets", [])]
rules = [
    {"record": f"dashboard:query_{number}", "expr": query.replace("$__rate_interval", "1m")}
    for number, query in enumerate(queries)
]
if not rules:
    sys.exit("the dashboard asks for nothing")
json.dump({"groups": [{"name": "dashboard", "rules": rules}]}, sys.stdout)
