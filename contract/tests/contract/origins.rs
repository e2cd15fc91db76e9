//! The origin of a parameter belongs to the operation that has it.

use rollcall_contract::{Contract, Document};
use serde_json::{Value, json};

use crate::SMALL;
use crate::the_contract::the_contract;

/// The small contract with a second list, which the specification does not have, and with a third, of which a clause names
/// `filter[id]` only. Both have the parameter that the first list has from the components.
fn three_lists() -> Value {
    let mut raw = Document::parse(SMALL).unwrap().raw().clone();
    for (path, id) in [("/groups", "listGroups"), ("/teams", "listTeams")] {
        let mut list = raw["paths"]["/people"]["get"].clone();
        list["operationId"] = json!(id);
        list["description"] = json!(format!("{id}. Specified in §4.2."));
        list["x-source"] = json!("§4.2");
        list["parameters"] = json!([{"$ref": "#/components/parameters/trashed"}]);
        list.as_object_mut().unwrap().shift_remove("x-open-point");
        list.as_object_mut().unwrap().shift_remove("x-list");
        raw["paths"][path] = json!({"get": list});
    }
    let groups = &mut raw["paths"]["/groups"]["get"];
    groups.as_object_mut().unwrap().shift_remove("x-source");
    groups["x-extension"] = json!(true);
    raw["x-clauses"]["§4.2"] = json!({"operations": ["listTeams"], "parameters": ["filter[id]"]});
    raw
}

#[test]
fn a_shared_parameter_is_specified_only_where_a_clause_names_it_for_the_operation() {
    let mut raw = three_lists();
    let shared = &mut raw["components"]["parameters"]["trashed"];
    shared["description"] =
        json!("Deleted too. Specified in §4.1, §4.4.4 for `GET /people`; an extension elsewhere; ruling L5.");
    shared["x-open-point"] = json!(["L5"]);
    shared["x-rules"] = json!(["lists"]);
    let contract = Contract::of(Document::of(raw).unwrap()).unwrap();
    for (id, description) in [
        ("listPeople", "Deleted too. Specified in §4.1, §4.4.4; ruling L5."),
        ("listGroups", "Deleted too. Extension; ruling L5."),
        ("listTeams", "Deleted too. Extension; ruling L5."),
    ] {
        let operation = contract.operation(id).unwrap();
        let trashed = operation
            .parameters
            .iter()
            .find(|one| one.name == "filter[trashed]")
            .unwrap();
        assert_eq!(trashed.description.as_deref(), Some(description), "{id}");
        assert_eq!(trashed.origin.open_points, ["L5"], "{id}");
        assert_eq!(trashed.origin.extension, id != "listPeople", "{id}");
        // A rule of the specification is carried where the specification has the parameter.
        assert_eq!(trashed.origin.rules.is_empty(), id != "listPeople", "{id}");
    }
}

#[test]
fn a_contract_without_clauses_has_the_origins_that_it_says() {
    let mut raw = three_lists();
    raw.as_object_mut().unwrap().shift_remove("x-clauses");
    let contract = Contract::of(Document::of(raw).unwrap()).unwrap();
    let origins = contract
        .operations
        .iter()
        .flat_map(|operation| &operation.parameters);
    let shared: Vec<_> = origins
        .filter(|one| one.is_shared())
        .map(|one| &one.origin.source)
        .collect();
    assert_eq!(shared, [&["§4.1", "§4.4.4"]; 3]);
}

#[test]
fn no_parameter_of_an_extension_is_specified() {
    let contract = the_contract();
    let mut looked_at = 0;
    for operation in contract
        .operations
        .iter()
        .filter(|operation| operation.origin.extension)
    {
        for parameter in &operation.parameters {
            let description = parameter.description.as_deref().unwrap_or_default();
            let at = format!("{} {}", operation.id, parameter.name);
            assert!(
                parameter.origin.extension && parameter.origin.source.is_empty(),
                "{at}"
            );
            assert!(
                description.contains("Extension") && !description.contains("Specified"),
                "{at}: {description}"
            );
            looked_at += 1;
        }
    }
    assert!(looked_at > 150, "{looked_at}");
}

#[test]
fn the_list_of_dimensions_has_five_specified_parameters() {
    let contract = the_contract();
    let dimensions = contract.operation("listDirectoryDimensions").unwrap();
    let specified = dimensions.parameters.iter().filter(|one| !one.origin.extension);
    let specified: Vec<_> = specified.map(|one| one.name.as_str()).collect();
    assert_eq!(
        specified,
        ["include", "sort", "page", "filter[state]", "filter[name_search]"]
    );
    let id = dimensions
        .parameters
        .iter()
        .find(|one| one.name == "filter[id]")
        .unwrap();
    assert_eq!(
        id.description.as_deref(),
        Some("The record with exactly this identifier. Extension.")
    );
}

#[test]
fn the_open_form_has_no_parameter_that_is_an_extension_in_its_operation() {
    let contract = the_contract();
    let open = contract.document().open_form().unwrap();
    let text = open.to_yaml().unwrap();
    assert!(
        !text.contains("elsewhere") && text.contains("Specified in §4.1, §4.4.8 for `GET /directory/users`"),
        "{text}"
    );
    let parameters = &open.raw()["paths"]["/directory/dimensions"]["get"]["parameters"];
    let names = parameters
        .as_array()
        .unwrap()
        .iter()
        .map(|one| open.resolve(one)["name"].as_str().unwrap());
    let names: Vec<_> = names.collect();
    assert_eq!(
        names,
        ["include", "sort", "page", "filter[state]", "filter[name_search]"]
    );
}

#[test]
fn the_forms_of_a_date_are_explained_once() {
    let contract = the_contract();
    let cites = contract
        .marks
        .iter()
        .filter(|mark| mark.origin.open_points.iter().any(|point| point == "L15"));
    let places: Vec<_> = cites.map(|mark| mark.at.to_string()).collect();
    assert_eq!(places, ["/components/schemas/DateOrTimestamp"]);
}
