// Calls a server with the client that OpenAPI Generator made.
package main

import (
	"context"
	"errors"
	"log"
	"os"
	"slices"
	"strconv"

	"example.org/clients/rollcall"
)

var (
	client = newClient()
	ctx    = context.WithValue(context.Background(), rollcall.ContextAccessToken, os.Getenv("TOKEN"))
)

func newClient() *rollcall.APIClient {
	configuration := rollcall.NewConfiguration()
	configuration.Servers = rollcall.ServerConfigurations{{URL: os.Getenv("BASE_URL")}}
	return rollcall.NewAPIClient(configuration)
}

func main() {
	workspaceUser := filterSortInclude()
	allPages()
	refused()
	deprecateAttribute()
	restoreWorkspaceUser(workspaceUser)
}

// expect ends the program when something is not as it must be.
func expect(holds bool, what string) {
	if !holds {
		log.Fatalln("not so:", what)
	}
}

// done ends the program when a call has failed.
func done(err error) {
	var refusal *rollcall.GenericOpenAPIError
	if errors.As(err, &refusal) {
		log.Fatalln(err, string(refusal.Body()))
	}
	if err != nil {
		log.Fatalln(err)
	}
}

// filterSortInclude answers the id of a workspace user that was included.
func filterSortInclude() string {
	// docs: begin
	users, _, err := client.DirectoryAPI.ListDirectoryUsers(ctx).
		FilterState(rollcall.DirectoryUserState("active")).
		Sort([]rollcall.DirectoryUserSort{"-created_at", "id"}).
		Include([]rollcall.DirectoryUserInclude{"manager-user", "workspace-user"}).
		PageSize(200).
		Execute()
	done(err)
	// docs: end
	var managers, included []string
	workspaceUser, neverExpires := "", false
	for n, user := range users {
		expect(user.State == "active", "the state is active")
		expect(n == 0 || !user.Timestamp.CreatedAt.After(users[n-1].Timestamp.CreatedAt), "the newest come first")
		if user.ManagerId.Get() != nil {
			managers = append(managers, *user.ManagerId.Get())
		}
		if manager := user.Included.ManagerUser.Get(); manager != nil {
			included = append(included, manager.Id)
		}
		if other := user.Included.WorkspaceUser.Get(); other != nil && workspaceUser == "" {
			workspaceUser = other.Id
		}
		neverExpires = neverExpires || user.Timestamp.ExpiresAt.Get() == nil
	}
	expect(slices.Equal(managers, included), "the managers are included")
	expect(len(managers) > 0 && len(managers) < len(users), "some users have a manager")
	expect(neverExpires, "some users do not expire")
	return workspaceUser
}

// allPages asks for pages by their number until one is not full. The number is a text: `page` is a string that may be a cursor.
func allPages() {
	var found []string
	total := 0
	for number := 1; len(found) == 50*(number-1); number++ {
		request := client.DirectoryAPI.ListDirectoryUsers(ctx).PageSize(50).PageTotal(true)
		users, answer, err := request.Page(strconv.Itoa(number)).Execute()
		done(err)
		found = append(found, ids(users)...)
		total, err = strconv.Atoi(answer.Header.Get("X-Total-Count"))
		done(err)
	}
	distinct := slices.Clone(found)
	slices.Sort(distinct)
	expect(len(slices.Compact(distinct)) == total && len(found) == total && total > 50, "every user is found once")
}

func ids(users []rollcall.DirectoryUser) []string {
	var all []string
	for _, user := range users {
		all = append(all, user.Id)
	}
	return all
}

// refused: one field twice is a bad sort.
func refused() {
	sort := []rollcall.DirectoryUserSort{"id", "-id"}
	_, _, err := client.DirectoryAPI.ListDirectoryUsers(ctx).Sort(sort).Execute()
	var refusal *rollcall.GenericOpenAPIError
	expect(errors.As(err, &refusal), "the bad sort is refused")
	problem, decoded := refusal.Model().(rollcall.Problem)
	expect(decoded && problem.Status == 400, "the refusal is a problem document")
	expect(problem.Errors[0].GetParameter() == "sort", "the problem names its parameter")
}

func deprecateAttribute() {
	list := client.DirectoryAPI.ListDirectoryAttributes(ctx)
	attributes, _, err := list.FilterState("active").PageSize(1).Execute()
	done(err)
	body := rollcall.NewDeprecateRequest()
	body.SetExpiresAfterDays(30)
	body.SetExpiresAtNil()
	deprecate := client.DirectoryAPI.DeprecateDirectoryAttribute(ctx, attributes[0].Id)
	answer, _, err := deprecate.DeprecateRequest(*body).Execute()
	done(err)
	expect(answer.State == "expiring" && answer.Timestamp.ExpiresAt.Get() != nil, "the attribute expires")
}

func restoreWorkspaceUser(user string) {
	deprecate := client.WorkspaceAPI.DeprecateWorkspaceUser(ctx, user)
	_, _, err := deprecate.DeprecateRequest(*rollcall.NewDeprecateRequest()).Execute()
	done(err)
	restore := client.WorkspaceAPI.RestoreWorkspaceUser(ctx, user)
	answer, _, err := restore.RestoreRequest(*rollcall.NewRestoreRequest(true)).Execute()
	done(err)
	expect(answer.State == "active", "the workspace user is active")
}
