"""OpenAPI Generator, generator `java` on the HTTP client of the JDK; the jar of the generator brings Jackson."""

from client import Client


def run(client: Client) -> None:
    javac, java = client.tools.system("javac"), client.tools.system("java")
    options = "openApiNullable=false,useSingleRequestParameter=true"
    client.openapi_generator("java", client.work, "--library", "native", "--additional-properties", options)
    sources = client.work / "src/main/java"
    client.bring("Call.java", sources / "Call.java")
    client.bring("Generated.java", sources / "javax/annotation/Generated.java")
    files = client.work / "files"
    files.write_text("\n".join(str(file) for file in sorted(sources.rglob("*.java"))))
    jackson = client.tools.openapi_generator()
    # The code calls a method that the newest Jackson advises against; every other warning is an error.
    strict = ["-proc:none", "-Xlint:all,-deprecation", "-Werror"]
    client.step("check", [javac, *strict, "-cp", jackson, "-d", "classes", f"@{files}"])
    client.call([java, "-enableassertions", "-cp", f"classes:{jackson}", "Call"])
