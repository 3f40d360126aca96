"""Writes the reference of the HTTP API in Markdown, from the OpenAPI document of a running server.

Usage: python api.py ADDRESS > api.md
"""

import json
import re
import sys
import urllib.request

INTRODUCTION = """# HTTP API

`loyd serve` answers these calls. This page is made from its own description, `/api/v1/openapi.json` (OpenAPI 3.1).
[Serving](serving.md) explains limits, events, batches and cancellation, with examples.

A call is a POST of a JSON object. All calls may fail with the same kind of object, a [fault](#fault).
"""


def kind(schema):
    """Returns the type of a value in a few words, with links to the objects below."""
    if "$ref" in schema:
        name = schema["$ref"].rsplit("/", 1)[1]
        return f"[{name}](#{name.lower()})"
    if "const" in schema:
        return f"`{json.dumps(schema['const'])}`"
    if "enum" in schema:
        return ", ".join(f"`{json.dumps(value)}`" for value in schema["enum"])
    for choices in ("anyOf", "oneOf", "allOf"):
        if choices in schema:
            return " or ".join(dict.fromkeys(kind(choice) for choice in schema[choices]))
    names = schema.get("type", "any value")
    names = [names] if isinstance(names, str) else [name for name in names if name != "null"]
    if names == ["array"]:
        of = schema.get("items") or {}
        return f"list of {kind(of)}" if of else "list"
    if names == ["object"] and isinstance(schema.get("additionalProperties"), dict):
        return f"object of {kind(schema['additionalProperties'])}"
    return " or ".join(names)


def words(schema):
    """Returns the description of a value as the text of a table's cell. Angle brackets and bars outside of code would be markup."""
    text = re.sub(r"\s+", " ", schema.get("description", "")).replace("|", "\\|")
    parts = text.split("`")
    parts[::2] = [part.replace("<", "&lt;") for part in parts[::2]]
    return "`".join(parts)


def table(schema, required):
    """Returns the fields of an object as a table."""
    needed = set(schema.get("required", []))
    lines = ["| field | type | meaning |", "| --- | --- | --- |"]
    for name, field in schema.get("properties", {}).items():
        note = " (required)" if required and name in needed else ""
        lines.append(f"| `{name}` | {kind(field)}{note} | {words(field)} |")
    return "\n".join(lines)


def call(path, operation):
    """Returns the section of a call."""
    lines = [f"## `{path}`", operation["summary"]]
    body = operation.get("requestBody")
    if body is not None:
        content = body["content"]["application/json"]
        example = json.dumps(content["example"], ensure_ascii=False)
        lines += ["```json\n" + example + "\n```", table(content["schema"], True)]
    for form, answer in operation["responses"]["200"].get("content", {}).items():
        schema = answer.get("schema", {})
        text = words(schema) or f"{kind(schema)}."
        lines.append(f"Answer, as `{form}`: {text}")
    return "\n\n".join(lines)


def objects(schemas):
    """Returns the sections of the objects that answers and requests contain."""
    for name, schema in sorted(schemas.items()):
        lines = [f"### {name}"]
        if schema.get("description"):
            lines.append(words(schema))
        lines.append(table(schema, False) if "properties" in schema else f"{kind(schema)}.".capitalize())
        yield "\n\n".join(lines)


def main():
    address = sys.argv[1].rstrip("/")
    with urllib.request.urlopen(f"{address}/api/v1/openapi.json") as response:
        document = json.load(response)
    sections = [INTRODUCTION.strip()]
    for path, operations in document["paths"].items():
        sections += [call(path, operation) for operation in operations.values()]
    sections += ["## Objects", *objects(document["components"]["schemas"])]
    sys.stdout.reconfigure(encoding="utf-8")
    print("\n\n".join(sections))


if __name__ == "__main__":
    main()
