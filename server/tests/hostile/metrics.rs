//! The metrics page: its series, and whether their labels have known values only.

use std::collections::BTreeSet;

use rollcall_server::routes;

use crate::server::Server;

/// The methods that have a label of their own, and the label of all others.
const METHODS: [&str; 8] = [
    "GET", "HEAD", "PATCH", "POST", "PUT", "DELETE", "OPTIONS", "OTHER",
];

/// The labels of all series that count requests, such as `method="GET",operation="none",status="404"`.
pub(crate) fn request_series(server: &Server) -> BTreeSet<String> {
    let page = server
        .connect()
        .ask("GET /metrics HTTP/1.1\r\nHost: rollcall\r\n\r\n");
    assert_eq!(page.status, 200);
    let lines = page.text().lines();
    let own = lines.filter_map(|line| line.strip_prefix("rollcall_requests_total{"));
    own.map(|line| line.split('}').next().unwrap().to_owned())
        .collect()
}

/// Fails if a label has a value that a client has chosen.
pub(crate) fn assert_labels_are_known(series: &BTreeSet<String>) {
    assert!(!series.is_empty());
    for labels in series {
        let mut values = labels.split('"').skip(1).step_by(2);
        let (method, operation, status) = (
            values.next().unwrap(),
            values.next().unwrap(),
            values.next().unwrap(),
        );
        assert!(METHODS.contains(&method), "{labels}");
        let is_known = routes::all().iter().any(|route| route.label == operation);
        assert!(is_known || operation == "none", "{labels}");
        let status: u16 = status.parse().unwrap();
        assert!((200..600).contains(&status), "{labels}");
        assert_eq!(values.next(), None, "{labels}");
    }
}
