import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.ApiResponse;
import org.openapitools.client.api.DirectoryApi;
import org.openapitools.client.api.DirectoryApi.APIDeprecateDirectoryAttributeRequest;
import org.openapitools.client.api.DirectoryApi.APIListDirectoryAttributesRequest;
import org.openapitools.client.api.DirectoryApi.APIListDirectoryUsersRequest;
import org.openapitools.client.api.WorkspaceApi;
import org.openapitools.client.api.WorkspaceApi.APIDeprecateWorkspaceUserRequest;
import org.openapitools.client.api.WorkspaceApi.APIRestoreWorkspaceUserRequest;
import org.openapitools.client.model.DeprecateRequest;
import org.openapitools.client.model.DirectoryAttribute;
import org.openapitools.client.model.DirectoryUser;
import org.openapitools.client.model.DirectoryUserInclude;
import org.openapitools.client.model.DirectoryUserSort;
import org.openapitools.client.model.DirectoryUserState;
import org.openapitools.client.model.LifecycleState;
import org.openapitools.client.model.Problem;
import org.openapitools.client.model.RestoreRequest;
import org.openapitools.client.model.UserSummary;
import org.openapitools.client.model.WorkspaceUser;
import org.openapitools.client.model.WorkspaceUserSummary;

/** Calls a server with the client that OpenAPI Generator made. */
public final class Call {
    private static final ApiClient CLIENT = new ApiClient();
    private static final DirectoryUserState ACTIVE_USER = DirectoryUserState.fromValue("active");
    private static final LifecycleState ACTIVE = LifecycleState.fromValue("active");
    private static final LifecycleState EXPIRING = LifecycleState.fromValue("expiring");
    private static final DirectoryUserSort BY_ID = DirectoryUserSort.fromValue("id");
    private static final DirectoryUserSort BY_ID_BACKWARDS = DirectoryUserSort.fromValue("-id");
    private static final DirectoryUserSort NEWEST = DirectoryUserSort.fromValue("-created_at");
    private static final DirectoryUserInclude MANAGER = DirectoryUserInclude.fromValue("manager-user");
    private static final DirectoryUserInclude WORKSPACE_USER = DirectoryUserInclude.fromValue("workspace-user");
    private static DirectoryApi directory;
    private static WorkspaceApi workspace;

    private Call() {}

    public static void main(String[] arguments) throws Exception {
        CLIENT.updateBaseUri(System.getenv("BASE_URL"));
        // The generated client leaves tokens to its user.
        String token = System.getenv("TOKEN");
        CLIENT.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + token));
        directory = new DirectoryApi(CLIENT);
        workspace = new WorkspaceApi(CLIENT);
        String workspaceUser = filterSortInclude();
        allPages();
        refused();
        deprecateAttribute();
        restoreWorkspaceUser(workspaceUser);
    }

    /** Answers the id of a workspace user that was included. */
    private static String filterSortInclude() throws ApiException {
        // docs: begin
        List<DirectoryUser> users = directory.listDirectoryUsers(APIListDirectoryUsersRequest.newBuilder()
                .filterState(ACTIVE_USER)
                .sort(List.of(NEWEST, BY_ID))
                .include(List.of(MANAGER, WORKSPACE_USER))
                .pageSize(200L)
                .build());
        // docs: end
        assert !users.isEmpty() && users.stream().allMatch(user -> user.getState() == ACTIVE_USER);
        List<OffsetDateTime> created = users.stream().map(user -> user.getTimestamp().getCreatedAt()).toList();
        assert created.equals(created.stream().sorted(Comparator.reverseOrder()).toList());
        List<String> managers = users.stream().map(user -> user.getIncluded().getManagerUser())
                .filter(Objects::nonNull).map(UserSummary::getId).toList();
        assert managers.equals(users.stream().map(DirectoryUser::getManagerId).filter(Objects::nonNull).toList());
        assert !managers.isEmpty() && managers.size() < users.size();
        assert users.stream().anyMatch(user -> user.getTimestamp().getExpiresAt() == null);
        return users.stream().map(user -> user.getIncluded().getWorkspaceUser())
                .filter(Objects::nonNull).map(WorkspaceUserSummary::getId).findFirst().orElseThrow();
    }

    /** Asks for pages by their number until one is not full. The number is a text: `page` is a string that may be a cursor. */
    private static void allPages() throws ApiException {
        List<String> ids = new ArrayList<>();
        int total = 0;
        for (int number = 1; ids.size() == 50 * (number - 1); number++) {
            ApiResponse<List<DirectoryUser>> answer = directory.listDirectoryUsersWithHttpInfo(
                    APIListDirectoryUsersRequest.newBuilder()
                            .page(String.valueOf(number)).pageSize(50L).pageTotal(true).build());
            ids.addAll(answer.getData().stream().map(DirectoryUser::getId).toList());
            total = Integer.parseInt(header(answer, "x-total-count"));
        }
        assert ids.size() == total && new HashSet<>(ids).size() == total && total > 50;
    }

    private static String header(ApiResponse<?> answer, String name) {
        return String.join(", ", answer.getHeaders().get(name));
    }

    /** One field twice is a bad sort. The generated client hands out the body of a refusal undecoded. */
    private static void refused() throws Exception {
        try {
            directory.listDirectoryUsers(
                    APIListDirectoryUsersRequest.newBuilder().sort(List.of(BY_ID, BY_ID_BACKWARDS)).build());
            throw new AssertionError("the bad sort was accepted");
        } catch (ApiException refusal) {
            assert refusal.getCode() == 400;
            Problem problem = CLIENT.getObjectMapper().readValue(refusal.getResponseBody(), Problem.class);
            assert problem.getStatus() == 400 && problem.getErrors().get(0).getParameter().equals("sort");
        }
    }

    private static void deprecateAttribute() throws ApiException {
        DirectoryAttribute attribute = directory.listDirectoryAttributes(
                APIListDirectoryAttributesRequest.newBuilder().filterState(ACTIVE).pageSize(1L).build()).get(0);
        DeprecateRequest body = new DeprecateRequest().expiresAfterDays(30L).expiresAt(null);
        DirectoryAttribute answer = directory.deprecateDirectoryAttribute(APIDeprecateDirectoryAttributeRequest
                .newBuilder().attribute(attribute.getId()).deprecateRequest(body).build());
        assert answer.getState() == EXPIRING && answer.getTimestamp().getExpiresAt() != null;
    }

    private static void restoreWorkspaceUser(String user) throws ApiException {
        workspace.deprecateWorkspaceUser(APIDeprecateWorkspaceUserRequest
                .newBuilder().user(user).deprecateRequest(new DeprecateRequest()).build());
        WorkspaceUser answer = workspace.restoreWorkspaceUser(APIRestoreWorkspaceUserRequest
                .newBuilder().user(user).restoreRequest(new RestoreRequest().roles(true)).build());
        assert answer.getState() == ACTIVE;
    }
}
