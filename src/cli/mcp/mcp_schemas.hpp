#pragma once

#include <string_view>

/// JSON schemas of the tools' arguments. describe() puts the schema of the filter where "filter"
/// is.
namespace postrider::cli::mcp::schema {

inline constexpr std::string_view nothing = R"json({
"type": "object", "properties": {}, "additionalProperties": false})json";

inline constexpr std::string_view consumer = R"json({
"type": "object", "additionalProperties": false,
"properties": {"consumer": {"type": "string", "description": "only this consumer"}}})json";

inline constexpr std::string_view groups = R"json({
"type": "object", "additionalProperties": false,
"properties": {
    "consumer": {"type": "string"},
    "handler": {"type": "string"},
    "limit": {"type": "integer", "minimum": 1, "maximum": 200, "default": 20}}})json";

inline constexpr std::string_view filter = R"json({
"type": "object", "additionalProperties": false, "description": "all conditions must match",
"properties": {
    "consumer": {"type": "string"},
    "channel": {"type": "string"},
    "handler": {"type": "string"},
    "event_type": {"type": "string"},
    "source": {"type": "string"},
    "workspace_id": {"type": "string", "format": "uuid"},
    "fingerprint": {"type": "string"},
    "error_class": {"type": "string"},
    "error": {"type": "string", "description": "substring of the error text"},
    "dead_after": {"type": "string", "format": "date-time"},
    "dead_before": {"type": "string", "format": "date-time"},
    "published_after": {"type": "string", "format": "date-time"},
    "published_before": {"type": "string", "format": "date-time"},
    "replay": {"type": "string", "description": "the id of a replay: those that died again in it"},
    "ids": {"type": "array", "items": {"type": "string", "format": "uuid"}},
    "deliveries": {"type": "array", "items": {"type": "integer"}}}})json";

inline constexpr std::string_view events = R"json({
"type": "object", "additionalProperties": false,
"properties": {
    "filter": {},
    "limit": {"type": "integer", "minimum": 1, "maximum": 200, "default": 20},
    "cursor": {"type": "string", "description": "next_cursor of the previous page"}}})json";

inline constexpr std::string_view event = R"json({
"type": "object", "additionalProperties": false, "required": ["id"],
"properties": {"id": {"type": "string",
    "description": "a delivery_id (a number) or the id of a message (a UUID)"}}})json";

inline constexpr std::string_view preview = R"json({
"type": "object", "additionalProperties": false,
"properties": {
    "id": {"type": "string",
        "description": "a delivery_id (a number) or the id of a message (a UUID)"},
    "filter": {}}})json";

inline constexpr std::string_view replay = R"json({
"type": "object", "additionalProperties": false, "required": ["reason"],
"properties": {
    "id": {"type": "string",
        "description": "a delivery_id (a number) or the id of a message (a UUID)"},
    "filter": {},
    "reason": {"type": "string", "minLength": 1, "description": "reason, recorded in the audit"},
    "canary": {"type": "integer", "minimum": 0,
        "description": "number of dead letters that run first; the rest runs only if none of them dies again"},
    "rate": {"type": "number", "exclusiveMinimum": 0, "description": "maximum number per second"},
    "generation": {"type": "integer", "description": "generation to run them in"},
    "expected": {"type": "integer", "minimum": 0,
        "description": "total of preview_replay; refused when the filter matches more"}}})json";

inline constexpr std::string_view replay_number = R"json({
"type": "object", "additionalProperties": false, "required": ["replay"],
"properties": {"replay": {"type": "integer", "minimum": 1}}})json";

}  // namespace postrider::cli::mcp::schema
