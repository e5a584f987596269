#include "serve/schema_check.hpp"

#include <regex>
#include <set>

namespace postrider::test {
namespace {

using nlohmann::json;

bool has_type(const json& value, const std::string& type) {
    return type == "null"      ? value.is_null()
           : type == "string"  ? value.is_string()
           : type == "boolean" ? value.is_boolean()
           : type == "integer" ? value.is_number_integer()
           : type == "number"  ? value.is_number()
           : type == "array"   ? value.is_array()
                               : type == "object" && value.is_object();
}

bool has_one_of(const json& value, const json& types) {
    if (types.is_string()) {
        return has_type(value, types);
    }
    for (const auto& type : types) {
        if (has_type(value, type)) {
            return true;
        }
    }
    return false;
}

bool has_format(const std::string& text, const std::string& format) {
    static const std::regex instant(
        R"(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2}))");
    static const std::regex uuid(R"([0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})");
    return format == "date-time" ? std::regex_match(text, instant)
                                 : format == "uuid" && std::regex_match(text, uuid);
}

std::string text_problems(const json& schema, const std::string& text, const std::string& where) {
    std::string found;
    if (schema.contains("format") && !has_format(text, schema["format"])) {
        found += where + ": '" + text + "' is no " + schema["format"].get<std::string>() + "\n";
    }
    if (schema.contains("pattern") &&
        !std::regex_search(text, std::regex(schema["pattern"].get<std::string>()))) {
        found += where + ": '" + text + "' does not fit " + schema["pattern"].dump() + "\n";
    }
    return found;
}

std::string object_problems(const json& document, const json& schema, const json& value,
                            const std::string& where) {
    std::string found;
    for (const auto& name : schema.value("required", json::array())) {
        if (!value.contains(name)) {
            found += where + ": " + name.get<std::string>() + " is missing\n";
        }
    }
    const auto properties = schema.value("properties", json::object());
    for (const auto& [name, member] : value.items()) {
        if (properties.contains(name)) {
            found += schema_problems(document, properties[name], member, where + "/" + name);
        } else if (schema.value("additionalProperties", true) == false) {
            found += where + ": " + name + " is not in the schema\n";
        }
    }
    return found;
}

}  // namespace

std::string schema_problems(const json& document, const json& schema, const json& value,
                            const std::string& where) {
    static const std::set<std::string> known = {
        "type",      "required", "properties",  "additionalProperties",
        "items",     "enum",     "const",       "format",
        "pattern",   "$ref",     "description", "minLength",
        "maxLength", "minimum",  "maximum",     "exclusiveMinimum",
        "default"};
    for (const auto& [name, ignored] : schema.items()) {
        if (known.count(name) == 0) {
            return where + ": the schema uses " + name + ", which is not checked here\n";
        }
    }
    if (schema.contains("$ref")) {
        const auto path = schema["$ref"].get<std::string>().substr(1);
        return schema_problems(document, document.at(json::json_pointer(path)), value, where);
    }
    if (schema.contains("type") && !has_one_of(value, schema["type"])) {
        return where + ": " + value.dump().substr(0, 100) + " is no " + schema["type"].dump() +
               "\n";
    }
    std::string found;
    if (schema.contains("enum") &&
        std::find(schema["enum"].begin(), schema["enum"].end(), value) == schema["enum"].end()) {
        found += where + ": " + value.dump() + " is none of " + schema["enum"].dump() + "\n";
    }
    if (value.is_string()) {
        found += text_problems(schema, value, where);
    } else if (value.is_object()) {
        found += object_problems(document, schema, value, where);
    } else if (value.is_array() && schema.contains("items")) {
        for (std::size_t i = 0; i < value.size(); ++i) {
            found += schema_problems(document, schema["items"], value[i],
                                     where + "/" + std::to_string(i));
        }
    }
    return found;
}

}  // namespace postrider::test
