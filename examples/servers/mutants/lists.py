"""The two lists that are compared, and the clauses that name their parameters."""

USERS, DIMENSIONS = "/directory/users", "/directory/dimensions"
CLAUSES = {USERS: "§4.1", DIMENSIONS: "§4.4.7"}
