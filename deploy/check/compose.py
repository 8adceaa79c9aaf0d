"""Holds a compose file against the published schema of compose files: `compose.py SCHEMA FILE`."""

import json
import sys

import jsonschema
import yaml

schema_file, compose_file = sys.argv[1:]
with open(schema_file) as file:
    schema = json.load(file)
with open(compose_file) as file:
    compose = yaml.safe_load(file)

# The name of a project is newer than the newest schema that is packaged.
compose.pop("name")
validator = jsonschema.Draft201909Validator(schema)
problems = [f"{'/'.join(map(str, error.absolute_path))}: {error.message}" for error in validator.iter_errors(compose)]
sys.exit("\n".join(problems) or None)
