//! OpenAPI document, generated from the same tables that define the API.

use loyd_api::{CALLS, Call, Fault, LISTS, List, Progress, Request};
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

/// Generates the OpenAPI document.
pub fn document() -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.definitions_path = "/components/schemas".into();
        settings.meta_schema = None;
    });
    // Requests may omit fields with defaults; answers omit empty fields.
    let mut request_schemas = settings.clone().for_deserialize().into_generator();
    let mut schemas = settings.for_serialize().into_generator();
    let request = request_schemas.root_schema_for::<Request>().to_value();
    let fields = request["properties"].as_object().cloned().unwrap_or_default();
    let fault = schemas.subschema_for::<Fault>().to_value();
    // The data of events, to which no response refers: a stream is text.
    schemas.subschema_for::<Progress<'_>>();
    let mut paths = Map::new();
    for call in &CALLS {
        let answer = (call.answer)(&mut schemas).to_value();
        paths.insert(format!("/api/v1/{}", call.name), of_call(call, &fields, &answer, &fault));
    }
    for list in &LISTS {
        paths.insert(format!("/api/v1/{}", list.name), of_list(list));
    }
    paths.insert(
        "/api/v1/openapi.json".to_owned(),
        plain("openapi", "This document.", "application/json"),
    );
    paths.insert(
        "/healthz".to_owned(),
        plain("healthz", "Reports that the server is up.", "text/plain"),
    );
    let metrics = plain("metrics", "Metrics for Prometheus.", "application/openmetrics-text");
    paths.insert("/metrics".to_owned(), metrics);
    let mut definitions = schemas.take_definitions(true);
    definitions.extend(request_schemas.take_definitions(true));
    let mut document = json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Loyd",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Solves, explains and studies sliding-tile puzzles.",
            "license": {"name": "MIT OR Apache-2.0"},
        },
        "paths": paths,
        "components": {"schemas": definitions},
    });
    bound_numbers(&mut document);
    document
}

/// Makes a field required: removes `null` from its values.
fn without_null(schema: &mut Value) {
    if let Some(fields) = schema.as_object_mut() {
        fields.remove("default");
        if let Some(Value::Array(types)) = fields.get_mut("type") {
            types.retain(|name| name != "null");
        }
        if let Some(Value::Array(choices)) = fields.get_mut("anyOf") {
            choices.retain(|choice| choice["type"] != "null");
        }
    }
}

/// Adds the maximum of numbers to a schema, whose formats only name their types.
fn bound_numbers(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            let most = match fields.get("format").and_then(Value::as_str) {
                Some("uint8") => Some(u64::from(u8::MAX)),
                Some("uint32") => Some(u64::from(u32::MAX)),
                Some("uint" | "uint64") => Some(u64::MAX),
                _ => None,
            };
            fields.extend(most.map(|most| ("maximum".to_owned(), most.into())));
            fields.values_mut().for_each(bound_numbers);
        }
        Value::Array(items) => items.iter_mut().for_each(bound_numbers),
        _ => {}
    }
}

fn of_call(call: &Call, fields: &Map<String, Value>, answer: &Value, fault: &Value) -> Value {
    let takes: Map<String, Value> = call
        .fields()
        .filter_map(|name| {
            let mut schema = fields.get(name)?.clone();
            if call.needs.contains(&name) {
                without_null(&mut schema);
            }
            if call.has_records && name == "boards" {
                // A board that cannot be read has a record with the reason.
                schema["items"] = json!({});
            }
            Some((name.to_owned(), schema))
        })
        .collect();
    let mut answers = match call.has_records {
        true => json!({
            "application/x-ndjson": {"schema": {"type": "string", "description": "A record for each board, one on a line."}},
            "text/event-stream": {"schema": {"type": "string", "description": "The lines, in events `records`; the last ones in `result`."}},
        }),
        false => json!({"application/json": {"schema": answer}}),
    };
    if call.has_events {
        answers["text/event-stream"] = json!({"schema": {
            "type": "string",
            "description": "While all workers are busy, `queued` with the `place` in line; progress events with a `Progress`; then `result` with the answer, or `error` with a fault.",
        }});
    }
    let example: Value = serde_json::from_str(call.example).expect("examples are JSON");
    let of_fault = |about: &str| {
        json!({
            "description": about, "content": {"application/json": {"schema": fault}},
        })
    };
    let busy = json!({
        "description": "The server is busy: `place` is the number of waiting calls.",
        "headers": {"Retry-After": {"required": true, "schema": {"type": "integer"}, "description": "Seconds"}},
        "content": {"application/json": {"schema": {
            "allOf": [fault], "properties": {"place": {"type": "integer"}}, "required": ["place"],
        }}},
    });
    json!({"post": {
        "operationId": call.name,
        "summary": call.summary,
        "requestBody": {"required": true, "content": {"application/json": {"example": example, "schema": {
            "type": "object", "properties": takes, "required": call.needs, "additionalProperties": false,
        }}}},
        "responses": {
            "200": {"description": "The answer.", "content": answers},
            "400": of_fault("The request is not JSON, or has fields that the call does not accept."),
            "403": of_fault("The request comes from a page of another site that is not allowed to use the API."),
            "408": of_fault("The request came too slowly."),
            "413": of_fault("The request is too large."),
            "415": of_fault("The content type is not JSON."),
            "422": of_fault("A field has an invalid value, or a limit was reached before there was an answer."),
            "429": busy,
            "500": of_fault("The server has a defect."),
            "503": of_fault("The server is shutting down, or too many large answers are being sent."),
        },
    }})
}

fn of_list(list: &List) -> Value {
    json!({"get": {
        "operationId": list.name,
        "summary": list.summary,
        "responses": {"200": {"description": "The rows.", "content": {"application/json": {"schema": {
            "type": "array",
            "items": {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]},
        }}}}},
    }})
}

fn plain(name: &str, summary: &str, content_type: &str) -> Value {
    json!({"get": {
        "operationId": name,
        "summary": summary,
        "responses": {"200": {"description": summary, "content": {content_type: {}}}},
    }})
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Collects all values of `$ref` in a document.
    fn references(value: &Value, found: &mut Vec<String>) {
        match value {
            Value::Object(fields) => {
                found.extend(fields.get("$ref").and_then(Value::as_str).map(str::to_owned));
                fields.values().for_each(|field| references(field, found));
            }
            Value::Array(items) => items.iter().for_each(|item| references(item, found)),
            _ => {}
        }
    }

    #[test]
    fn describes_all_calls_and_resolves_all_references() {
        let document = document();
        for call in &CALLS {
            let post = &document["paths"][format!("/api/v1/{}", call.name)]["post"];
            let schema = &post["requestBody"]["content"]["application/json"]["schema"];
            for field in call.fields() {
                assert!(schema["properties"][field].is_object(), "{}: {field}", call.name);
            }
            assert_eq!(schema["required"], json!(call.needs));
            for &field in call.needs {
                let value = &schema["properties"][field];
                let choices = value["anyOf"].as_array();
                let is_null = |choice: &Value| choice["type"] == "null";
                let types = value["type"].as_array();
                assert_eq!(
                    types.is_some_and(|types| types.len() == 1),
                    choices.is_none(),
                    "{field}"
                );
                assert!(!choices.into_iter().flatten().any(is_null), "{field}");
            }
        }
        let mut found = Vec::new();
        references(&document, &mut found);
        assert!(!found.is_empty());
        for reference in found {
            let pointer = reference.strip_prefix('#').expect("references stay in the document");
            assert!(document.pointer(pointer).is_some(), "{reference}");
        }
    }
}
