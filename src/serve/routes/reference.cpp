#include "serve/routes/reference.hpp"

#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "serve/page_files.hpp"

namespace postrider::serve {
namespace {

// Keeps the order of the document.
using nlohmann::ordered_json;

std::string name_of(const ordered_json& reference) {
    const auto path = reference.get<std::string>();
    return path.substr(path.rfind('/') + 1);
}

std::string type_of(const ordered_json& schema) {
    if (schema.contains("$ref")) {
        const auto name = name_of(schema["$ref"]);
        return fmt::format("[{}](#{})", name, name);
    }
    if (schema.contains("enum")) {
        std::string all;
        for (const auto& one : schema["enum"]) {
            all += (all.empty() ? "`" : ", `") + one.get<std::string>() + "`";
        }
        return all;
    }
    if (!schema.contains("type")) {
        return "JSON";
    }
    std::string text;
    const auto types =
        schema["type"].is_string() ? ordered_json::array({schema["type"]}) : schema["type"];
    for (const auto& type : types) {
        const auto named = type == "array" && schema.contains("items")
                               ? "list of " + type_of(schema["items"])
                           : type == "string" && schema.contains("format")
                               ? (schema["format"] == "date-time" ? "instant" : "UUID")
                               : type.get<std::string>();
        text += (text.empty() ? "" : " or ") + named;
    }
    return text;
}

std::string members(const ordered_json& schema) {
    std::string rows = "| member | type | |\n|---|---|---|\n";
    const auto required = schema.value("required", ordered_json::array());
    for (const auto& [name, member] : schema["properties"].items()) {
        const bool always = std::find(required.begin(), required.end(), name) != required.end();
        auto meaning = member.value("description", "");
        if (!always) {
            meaning = meaning.empty() ? "can be missing" : meaning + "; can be missing";
        }
        rows += fmt::format("| `{}` | {} | {} |\n", name, type_of(member), meaning);
    }
    return rows;
}

std::string parameters(const ordered_json& document, const ordered_json& operation) {
    std::string rows;
    for (auto parameter : operation.value("parameters", ordered_json::array())) {
        if (parameter.contains("$ref")) {
            parameter = document["components"]["parameters"][name_of(parameter["$ref"])];
        }
        if (parameter["in"] == "query") {
            const auto meaning = parameter.value("description", "");
            rows += fmt::format("- `{}`{}\n", parameter["name"].get<std::string>(),
                                meaning.empty() ? "" : ": " + meaning);
        }
    }
    return rows.empty() ? "" : "\nParameters:\n\n" + rows;
}

std::string operation_text(const ordered_json& document, std::string method,
                           const std::string& path, const ordered_json& operation) {
    method = method == "get" ? "GET" : "POST";
    auto text = fmt::format("\n### {} {}\n\n{}. For: {}.\n", method, path,
                            operation["summary"].get<std::string>(),
                            operation["x-role"].get<std::string>());
    if (operation.contains("description")) {
        text += operation["description"].get<std::string>() + "\n";
    }
    text += parameters(document, operation);
    if (operation.contains("requestBody")) {
        text += "\nBody: " +
                type_of(operation["requestBody"]["content"]["application/json"]["schema"]) + "\n";
    }
    const auto& first = *operation["responses"].begin();
    const auto& content = first["content"];
    if (content.contains("application/json")) {
        text += "\nAnswer: " + type_of(content["application/json"]["schema"]) + "\n";
    } else {
        text += "\nAnswer: `" + content.begin().key() + "`\n";
    }
    return text;
}

}  // namespace

std::string reference_page() {
    const auto document = ordered_json::parse(page_file("openapi.json")->text);
    auto text =
        "# The HTTP API\n\nThe API of `postrider serve`. This page is generated from "
        "[openapi.json](../../src/serve/routes/openapi.json), which the server also serves.\n\n" +
        document["info"]["description"].get<std::string>() + "\n\n## Routes\n";
    for (const auto& [path, operations] : document["paths"].items()) {
        for (const auto& [method, operation] : operations.items()) {
            text += operation_text(document, method, path, operation);
        }
    }
    text += "\n## Schemas\n";
    for (const auto& [name, schema] : document["components"]["schemas"].items()) {
        text += fmt::format("\n### {}\n\n", name);
        if (schema.contains("description")) {
            text += schema["description"].get<std::string>() + "\n\n";
        }
        text += schema.contains("properties") ? members(schema) : type_of(schema) + "\n";
    }
    return text;
}

}  // namespace postrider::serve
