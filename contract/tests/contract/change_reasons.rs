//! Why each kind of change breaks clients or servers, or breaks neither: by the place where it is.

use crate::changing::{change, changed, means, old};

#[test]
fn an_operation_is_an_addition_or_a_loss() {
    means(
        "+ /paths/~1more: {}                       => Added         => /more: is new
         - /paths/~1others                         => OperationGone => /others: is gone
         - /paths/~1others/get                     => OperationGone => GET /others: is gone
         - /paths/~1notes/post                     => OperationGone => POST /notes: is gone
         + /paths/~1others/put: {}                 => Added         => PUT /others: is new
         + /paths/~1others/post: {}                => Added
         + /paths/~1others/patch: {}               => Added
         + /paths/~1others/delete: {}              => Added
         + /paths/~1others/x-unheard: {}           => Unknown
         ~ /paths/~1notes/get/x-scope: all         => ScopeChanged  => GET /notes: x-scope: notes → all
         - /paths/~1notes/get/x-scope              => ScopeChanged  => GET /notes: x-scope: is gone (notes)
         + /paths/~1others/get/x-scope: all        => ScopeChanged  => GET /others: x-scope: is new (all)
         ~ /paths/~1notes/get/operationId: other   => Unknown",
    );
}

#[test]
fn a_parameter_or_body_that_is_demanded_refuses_old_requests() {
    means(
        "+ /paths/~1notes/get/parameters/-: {name: r, in: query, required: true}  => ParameterRequired => GET /notes, r: is new
         + /paths/~1notes/get/parameters/-: {name: r, in: query, required: false} => Added
         + /paths/~1notes/get/parameters/-: {name: r, in: query}                  => Added
         + /paths/~1notes/get/parameters/-: {name: q, in: header}                 => Added
         - /paths/~1notes/get/parameters/0                                        => ParameterGone => GET /notes, q: is gone
         - /paths/~1notes/get/parameters/1                                        => ParameterGone => GET /notes, id: is gone
         ~ /paths/~1notes/get/parameters/0/required: true                         => ParameterRequired
         ~ /paths/~1notes/get/parameters/1/required: false                        => AcceptsMore
         - /paths/~1notes/get/parameters/0/required                               => AcceptsMore
         - /paths/~1notes/get/parameters/1/required                               => AcceptsMore
         + /components/parameters/page/required: true                             => Unknown
         ~ /paths/~1notes/post/requestBody/required: true                         => ParameterRequired
         + /paths/~1others/get/requestBody: {required: true}                      => ParameterRequired
         + /paths/~1others/get/requestBody: {required: false}                     => Unknown
         - /paths/~1notes/post/requestBody                                        => Unknown",
    );
}

#[test]
fn the_status_of_success_matters_and_a_refusal_more_or_less_does_not() {
    means(
        "+ /paths/~1others/get/responses/200: {}  => StatusChanged => GET /others: responses/200: is new
         - /paths/~1notes/post/responses/200      => StatusChanged
         + /paths/~1others/get/responses/404: {}  => Added
         - /paths/~1notes/get/responses/404       => Incidental",
    );
}

#[test]
fn a_choice_of_a_list_is_an_addition_or_a_loss() {
    means(
        "+ /paths/~1notes/get/x-list/sort/fields/title: /title     => Added
         - /paths/~1notes/get/x-list/sort/fields/id               => ChoiceGone
         ~ /paths/~1notes/get/x-list/sort/fields/id: /key         => MeaningChanged
         + /paths/~1notes/get/x-list/relations/title: {}          => Added
         - /paths/~1notes/get/x-list/relations/author             => ChoiceGone
         ~ /paths/~1notes/get/x-list/relations/author/many: true  => MeaningChanged",
    );
}

#[test]
fn a_member_that_is_gone_matters_to_clients_that_send_or_receive_it() {
    means(
        "- /components/schemas/Sent/properties/b          => MemberGone => Sent/b: is gone
         - /components/schemas/Received/properties/b      => MemberGone
         - /components/schemas/Both/properties/b          => MemberGone
         - /components/schemas/Unused/properties/b        => Component
         + /components/schemas/Sent/properties/z: {}      => Added
         + /components/schemas/Unused/properties/z: {}    => Added
         - /components/schemas/Parts/allOf/0/properties/f => Component => Parts/f: is gone
         + /components/schemas/More: {}                   => Component => More: is new
         - /components/headers                            => Component => components: headers: is gone
         + /components/examples: {}                       => ReadersOnly",
    );
}

#[test]
fn a_header_is_an_addition_or_a_loss() {
    means(
        "- /paths/~1notes/get/responses/200/headers/X-Total     => HeaderGone
         - /paths/~1notes/get/responses/200/headers             => HeaderGone
         + /paths/~1notes/get/responses/200/headers/X-More: {}  => Added
         - /components/responses/Missing/headers/X-Why          => HeaderGone => response Missing: headers/X-Why: is gone
         + /paths/~1others/get/responses/204/headers: {}        => Added",
    );
}

#[test]
fn what_conforms_becomes_wider_or_narrower() {
    means(
        "+ /x-open-points/L1/accepts/none: None.            => ConformanceWider    => open point L1: accepts/none: is new (None.)
         - /x-open-points/L1/accepts/any                    => ConformanceNarrower
         ~ /x-open-points/L1/accepts/any: All.              => ReadersOnly
         + /x-open-points/L2: {}                            => ConformanceNarrower => open point L2: is new
         - /x-open-points/L1                                => ConformanceWider
         + /x-rules/sound: {}                               => ConformanceNarrower => rule sound: is new
         - /x-rules/safe                                    => ConformanceWider
         + /components/schemas/Sent/x-extensible: true      => ConformanceWider
         + /components/schemas/Sent/x-optional-members: []  => ConformanceWider
         ~ /x-clauses/§1/operations: [notes, add]           => ReadersOnly
         + /x-clauses/§2: {}                                => ReadersOnly
         - /x-clauses/§1/parameters                         => ReadersOnly",
    );
    let narrower = |key: &str| {
        let wide = changed(&format!("+ /components/schemas/Sent/{key}: true"));
        wide.changes(&old()).remove(0).reason
    };
    for key in ["x-extensible", "x-optional-members"] {
        assert_eq!(format!("{:?}", narrower(key)), "ConformanceNarrower", "{key}");
    }
}

#[test]
fn servers_and_tags_are_incidental() {
    means(
        "- /servers                  => Incidental => servers: is gone
         ~ /servers/0/url: /v2       => Incidental => servers: 0/url: /v1 → /v2
         + /servers/-: {url: /v2}    => Incidental
         + /tags/-: {name: others}   => Incidental
         ~ /tags/0/name: others      => Incidental",
    );
}

#[test]
fn an_annotation_that_says_what_a_part_means_changes_the_meaning() {
    for key in [
        "x-filter",
        "x-list",
        "x-role",
        "x-count",
        "x-link",
        "x-made-of",
        "x-state-time",
        "x-identifier",
    ] {
        means(&format!(
            "+ /{key}: some                              => MeaningChanged => {key}: is new (some)
             + /components/schemas/Sent/properties/a/{key}: some => MeaningChanged
             + /components/parameters/page/{key}: some   => MeaningChanged => parameter page: {key}: is new (some)"
        ));
    }
    means(
        "~ /paths/~1notes/get/parameters/0/x-filter/field: /key => MeaningChanged
         + /x-unknown: 1                                        => Unknown
         ~ /x-unheard/maximum: 6                                => Unknown
         + /x-unheard/minimum: 6                                => Unknown
         ~ /x-unheard/list: [1, 3]                              => Unknown => x-unheard: list: [1,2] → [1,3]",
    );
}

#[test]
fn words_and_origins_are_for_readers_only() {
    for key in [
        "description",
        "summary",
        "title",
        "example",
        "examples",
        "externalDocs",
        "x-source",
        "x-extension",
        "x-open-point",
        "x-rules",
    ] {
        let found = change(&format!("+ /components/schemas/Sent/{key}: some"));
        assert_eq!(
            format!("{:?}: {}", found.reason, found.difference),
            format!("ReadersOnly: {key}: is new")
        );
    }
    means(
        "~ /info/title: Others            => ReadersOnly => info: title: has other words
         ~ /info/version: '2'             => ReadersOnly
         + /info/contact: {}              => ReadersOnly
         + /info/license: {}              => ReadersOnly
         ~ /x-rules/safe/says: Safe.      => ReadersOnly => rule safe: says: has other words
         + /x-rules/safe/source: '§1'     => ReadersOnly
         - /components/schemas/Sent/properties/headers/description    => ReadersOnly => Sent/headers: description: is gone
         - /components/schemas/Sent/properties/properties/description => ReadersOnly",
    );
}

#[test]
fn a_name_that_somebody_chose_is_no_keyword() {
    means(
        "+ /paths/title: {}                                      => Added
         + /components/schemas/description: {}                   => Component
         + /components/parameters/example: {}                    => Component => parameter example: is new
         + /x-rules/summary: {}                                  => ConformanceNarrower
         + /x-open-points/title: {}                              => ConformanceNarrower
         + /x-open-points/L1/accepts/example: Some.              => ConformanceWider
         + /paths/~1notes/get/x-list/relations/examples: {}      => Added
         + /paths/~1notes/get/x-list/sort/fields/version: /v     => Added
         + /components/schemas/Sent/properties/description: {}   => Added
         + /components/schemas/Sent/properties/format: {}        => Added
         - /components/schemas/Sent/properties/pattern           => MemberGone
         + /paths/~1notes/get/responses/200/headers/title: {}    => Added
         + /paths/~1notes/get/responses/200/content/summary: {}  => Unknown
         + /x-clauses/title: {}                                  => ReadersOnly => x-clauses: title: is new",
    );
}
