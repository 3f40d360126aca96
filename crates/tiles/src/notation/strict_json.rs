//! JSON without repeated keys.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

/// A JSON value in which no object has a key twice. `Value` itself keeps the last one: a board with two keys `board`
/// would be read as one of them.
#[derive(Clone, Debug, PartialEq)]
pub struct StrictJson(pub Value);

impl<'de> Deserialize<'de> for StrictJson {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AnyValue).map(StrictJson)
    }
}

struct AnyValue;

impl<'de> Visitor<'de> for AnyValue {
    type Value = Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut values = Vec::new();
        while let Some(StrictJson(value)) = items.next_element()? {
            values.push(value);
        }
        Ok(values.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some((key, StrictJson(value))) = entries.next_entry::<String, StrictJson>()? {
            if object.contains_key(&key) {
                return Err(A::Error::custom(format_args!("the key `{key}` is repeated")));
            }
            object.insert(key, value);
        }
        Ok(object.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_values_and_refuses_repeated_keys() {
        let text = r#"{"a":[1,-2,2.5,"x",null,true,[{}]],"b":{"a":18446744073709551615}}"#;
        let StrictJson(value) = serde_json::from_str(text).unwrap();
        assert_eq!(value.to_string(), text);
        for text in [r#"{"a":1,"a":1}"#, r#"[{"b":{"a":1,"c":2,"\u0061":1}}]"#] {
            let error = serde_json::from_str::<StrictJson>(text).err().unwrap().to_string();
            assert!(error.starts_with("the key `a` is repeated"), "{error}");
        }
    }
}
