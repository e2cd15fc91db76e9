// Generates an invented company. The same seed gives the same data.
import { dayInMilliseconds, microsecondText, millisecondText } from "../dates";
import { nullWordPeople } from "../habits";
import type { Row } from "../includes";
import { db } from "./connection";
import * as names from "./names";
import { createRandom } from "./random";

const primaryDomain = "aldersea.example";
const logCounts = ["workspace_logs_parent", "workspace_logs_record", "workspace_logs_related"];
const vendorCounts =
  "vcs_groups vcs_projects drive_docs drive_files drive_folders drive_decks drive_sheets identity_groups suite_drives suite_groups workforce_groups chat_public_channels chat_private_channels chat_groups";

// A cycle of states, so that small directories have every state too.
const stateCycle =
  "active active active staged expiring expired suspended deactivated active active active active active active active staged expiring expired deactivated active".split(" ");

const handleText = (text: string) =>
  text
    .toLowerCase()
    .replace(/[łøßæđı]/g, (letter) => ({ ł: "l", ø: "o", ß: "ss", æ: "ae", đ: "d", ı: "i" })[letter]!)
    .normalize("NFD")
    .replace(/[^a-z0-9' -]/g, "")
    .replaceAll(" ", "-");
const snake = (text: string) => handleText(text).replace(/[^a-z0-9]+/g, "_");
const textOrNull = (date: Date | null) => date && millisecondText(date);

export async function seedDatabase(seed: number, userTotal: number) {
  const random = createRandom(seed);
  const storedCount = (counters: string[], most: number) =>
    JSON.stringify(Object.fromEntries(counters.map((name) => [name, random.integer(0, most)])));

  // Integrations
  const integration = (handle: string, domain: string, isPrimary: boolean): Row => ({
    id: random.id("wsitg_"),
    is_primary: isPrimary,
    vendor: "demo",
    handle,
    domain,
    badge_id_profile_key: "badge",
    employee_id_profile_key: "number",
    employee_alt_id_profile_key: "old_number",
  });
  const primary = integration("aldersea-people", primaryDomain, true);
  const second = integration("aldersea-labs", "labs.aldersea.example", false);

  // Dimensions and attributes
  const dimensions: Row[] = [];
  const attributes: Row[] = [];
  const addDimension = (name: string, state = "active", deleted: Date | null = null) => {
    const created = random.daysAgo(600, 725);
    const updated = deleted ?? random.past(created);
    const dimension: Row = {
      id: random.id("drdim_"),
      state,
      name,
      handle: snake(name),
      created_at: millisecondText(created),
      updated_at: millisecondText(updated),
      deleted_at: textOrNull(deleted),
    };
    dimensions.push(dimension);
    return dimension;
  };
  const addAttribute = (dimension: Row, name: string, type: string, state = "active", deleted: Date | null = null) => {
    const created = random.between(new Date(dimension.created_at), random.daysAgo(500, 590));
    const activated = state === "staged" ? null : random.between(created, random.daysAgo(400, 490));
    const expires = { expiring: random.inFuture(), expired: random.daysAgo(10, 300) }[state] ?? null;
    const id = random.id("dratr_");
    const fromBlueprint = random.chance(0.3);
    const signature = [random.id(""), dimension.id, id, random.id("")].map((part) => part.slice(-4)).join("-");
    const attribute: Row = {
      id,
      directory_dimension_id: dimension.id,
      successor_id: null,
      state,
      type,
      name,
      handle: snake(name),
      blueprint_signature: fromBlueprint ? signature : null,
      profile_value: type === "integration" ? name : null,
      stored_count: storedCount(logCounts, 30),
      created_at: millisecondText(created),
      updated_at: millisecondText(deleted ?? (state === "expired" ? expires! : random.past(activated ?? created))),
      deleted_at: textOrNull(deleted),
      activated_at: textOrNull(activated),
      expires_at: textOrNull(expires),
    };
    attributes.push(attribute);
    return attribute;
  };
  const imported = (dimension: Row, values: string[]) =>
    new Map(values.map((name) => [name, addAttribute(dimension, name, "integration")]));

  const departmentDimension = addDimension("Department");
  const departmentOf = imported(departmentDimension, names.departments.map(({ name }) => name));
  const divisionOf = imported(addDimension("Division"), names.divisions);
  const titleOf = imported(addDimension("Title"), names.titles);
  const locationDimension = addDimension("Location");
  const locations = [...imported(locationDimension, names.locations).values()];
  const costCenterDimension = addDimension("Cost Center");
  const costCenters = [...imported(costCenterDimension, names.costCenters).values()];
  const unknownLocation = addAttribute(locationDimension, "Unknown Location", "catch");
  const unknownCostCenter = addAttribute(costCenterDimension, "Unknown Cost Center", "catch");

  // Attributes at other points of their life. The expiring one still has users.
  locations.push(addAttribute(locationDimension, "Gdańsk Old Town", "integration", "expiring"));
  locations.at(-1)!.successor_id = locations[2].id;
  addAttribute(departmentDimension, "Quantum Lab", "integration", "staged");
  addAttribute(departmentDimension, "Print Shop", "integration", "deactivated");
  const formerCostCenter = addAttribute(costCenterDimension, "CC-0500 Legacy", "integration", "expired");
  formerCostCenter.successor_id = costCenters[0].id;
  addAttribute(locationDimension, "Paris Annex", "integration", "deactivated", random.daysAgo(20, 200));
  const clearance = addDimension("Clearance", "staged");
  for (const name of ["Confidential", "Secret"]) addAttribute(clearance, name, "ruleset", "staged");
  const regionDeletedAt = random.daysAgo(30, 90);
  const region = addDimension("Legacy Region", "deactivated", regionDeletedAt);
  for (const name of ["North", "South"]) addAttribute(region, name, "integration", "deactivated", regionDeletedAt);

  // Custom attributes: the users who meet the condition on another attribute have them.
  const accessDimension = addDimension("Access Group");
  const customAttributes = [
    { attribute: addAttribute(accessDimension, "Remote Workers", "ruleset"), condition: locations[7] },
    { attribute: addAttribute(accessDimension, "Code Owners", "ruleset"), condition: titleOf.get("Software Engineer")! },
    { attribute: addAttribute(accessDimension, "Leadership", "ruleset"), condition: titleOf.get("Team Manager")! },
  ];

  // Rulesets, rules and conditions
  const rulesets: Row[] = [];
  const rules: Row[] = [];
  const conditions: Row[] = [];
  const keyOf = (attribute: Row) => dimensions.find(({ id }) => id === attribute.directory_dimension_id)!.handle;
  const addRuleset = (attribute: Row, conditionAttribute: Row) => {
    const ruleset: Row = {
      id: random.id("plrst_"),
      state: "unmanaged",
      type: "directory_attribute",
      resource_id: attribute.id,
      is_authoritative: random.chance(0.5),
      expires_after_days: random.pick([30, 90, 365]),
    };
    rulesets.push(ruleset);
    const ruleTotal = random.integer(1, 3);
    for (let position = 0; position < ruleTotal; position += 1) {
      const roleName = random.pick(names.roleNames);
      const inherited = random.chance(0.5);
      const rule: Row = {
        id: random.id("plrul_"),
        ruleset_id: ruleset.id,
        state: position === 2 ? "staged" : "active",
        role_name: roleName,
        role_handle: snake(roleName),
        is_imported: random.chance(0.2),
        description: `${roleName} for ${attribute.name}`,
        expires_after_days: inherited ? ruleset.expires_after_days : random.pick([7, 14, 180]),
        expires_after_days_inherited: inherited,
        priority: position + 1,
      };
      rules.push(rule);
      conditions.push({
        id: random.id("plcon_"),
        is_imported: rule.is_imported,
        type: "attribute",
        ruleset_id: ruleset.id,
        rule_id: rule.id,
        resource_id: conditionAttribute.id,
        profile_key: keyOf(conditionAttribute),
        profile_operator: "equals",
        profile_value: conditionAttribute.profile_value,
        description: `${keyOf(conditionAttribute)} equals ${conditionAttribute.profile_value}`,
      });
    }
  };
  for (const attribute of departmentOf.values()) addRuleset(attribute, attribute);
  for (const { attribute, condition } of customAttributes) addRuleset(attribute, condition);

  // People
  const users: Row[] = [];
  const userAttributes: Row[] = [];
  const identities: Row[] = [];
  const policyUsers: Row[] = [];
  const usedHandles = new Map<string, number>();
  const uniqueHandle = (wanted: string) => {
    const times = (usedHandles.get(wanted) ?? 0) + 1;
    usedHandles.set(wanted, times);
    return times === 1 ? wanted : `${wanted}${times}`;
  };
  const randomPerson = () => {
    const list = random.pick(names.nameLists);
    return { first_name: random.pick(list.first), last_name: random.pick(list.last) };
  };
  const metadata = () => {
    const all: Row = { laptop: random.pick(["ThinkPad T14", "MacBook Air", "Framework 13"]), desk: random.integer(100, 499) };
    if (random.chance(0.4)) all.shift = random.pick(["early", "late", "night shift"]);
    if (random.chance(0.2)) all.note = random.pick(["Prefers e-mail", "Café committee", "first-aider"]);
    return random.chance(0.15) ? {} : all;
  };

  // The moments in the life of a user, in the order that the state asks for.
  const life = (state: string, isDeleted: boolean, isPending: boolean) => {
    const created = state === "staged" ? random.daysAgo(4, 40) : random.daysAgo(60, 725);
    const provisioned = state === "staged" ? null : random.between(created, new Date(created.getTime() + dayInMilliseconds));
    const hasEnded = state === "expired" || state === "deactivated";
    const deactivated = hasEnded ? random.past(new Date(created.getTime() + 5 * dayInMilliseconds)) : null;
    const deprovisioned = deactivated ?? (isPending ? random.past(provisioned!) : null);
    const deleted = isDeleted ? random.past(deactivated ?? created) : null;
    const lastEvent = deleted ?? deprovisioned ?? provisioned ?? created;
    const expires = state === "expiring" ? random.inFuture() : state === "expired" ? deactivated : null;
    return {
      created_at: millisecondText(created),
      updated_at: millisecondText(deleted ?? random.past(lastEvent)),
      deleted_at: textOrNull(deleted),
      expires_at: textOrNull(expires),
      provisioned_at: textOrNull(provisioned),
      deprovisioned_at: textOrNull(deprovisioned),
      deactivated_at: textOrNull(deactivated),
    };
  };

  interface Plan {
    person: { first_name: string; last_name: string; handle?: string };
    state: string;
    manager: Row | null;
    attributes: Row[];
    changes?: Row;
    isDeleted?: boolean;
    isPending?: boolean;
    belongsTo?: Row;
  }
  const addUser = ({ person, state, manager, attributes, changes, isDeleted = false, isPending = false, belongsTo = primary }: Plan) => {
    const handle = uniqueHandle(person.handle ?? `${handleText(person.first_name)}.${handleText(person.last_name)}`);
    const overriddenUsername = random.chance(0.06) ? `${handle.slice(0, 2)}${random.integer(1000, 9999)}` : handle;
    const fullName = `${person.first_name} ${person.last_name}`;
    const hasNumbers = state !== "staged";
    const user: Row = {
      id: random.id("drusr_"),
      manager_id: manager?.id ?? null,
      parent_id: null,
      workspace_integration_id: belongsTo.id,
      state,
      first_name: person.first_name,
      last_name: person.last_name,
      full_name: fullName,
      email: `${handle}@${belongsTo.domain}`,
      username: overriddenUsername,
      badge_id: hasNumbers && random.chance(0.75) ? `B-${random.integer(1000, 9999)}-${users.length}` : null,
      employee_id: hasNumbers && random.chance(0.9) ? String(100 + users.length).padStart(6, "0") : null,
      employee_alt_id: hasNumbers && random.chance(0.25) ? `OLD/${random.integer(10, 99)}${users.length}` : null,
      metadata: JSON.stringify(metadata()),
      stored_count: storedCount([...logCounts, "workspace_logs_subject", ...vendorCounts.split(" ")], 40),
      ...life(state, isDeleted, isPending),
      ...changes,
    };
    users.push(user);
    for (const { attribute, condition } of customAttributes) {
      if (attributes.includes(condition) && !attributes.some((own) => own.directory_dimension_id === accessDimension.id)) {
        attributes = [...attributes, attribute];
      }
    }
    for (const attribute of attributes) {
      userAttributes.push({ id: random.id(""), directory_user_id: user.id, directory_attribute_id: attribute.id });
    }
    const org = Object.fromEntries(attributes.map((attribute) => [keyOf(attribute), attribute.name]));
    const otherIntegration = belongsTo === primary ? second : primary;
    for (const source of random.chance(0.3) ? [belongsTo, otherIntegration] : [belongsTo]) {
      identities.push({
        id: random.id("dridn_"),
        directory_user_id: user.id,
        workspace_integration_id: source.id,
        integration_vendor: source.vendor,
        integration_handle: source.handle,
        vendor_id: String(random.integer(10_000_000, 99_999_999)),
        full_name: fullName,
        email: user.email,
        org: JSON.stringify(org),
        state,
      });
    }
    if (!isDeleted) addPolicyUsers(user, attributes);
    return user;
  };

  // A user qualifies for every rule whose condition one of the user's attributes meets.
  const addPolicyUsers = (user: Row, attributes: Row[]) => {
    const isInManifest = user.state === "active" || user.state === "expiring";
    for (const condition of conditions) {
      if (!attributes.some(({ id }) => id === condition.resource_id)) continue;
      const rule = rules.find(({ id }) => id === condition.rule_id)!;
      const userState = user.state === "suspended" ? "deactivated" : user.state;
      const state = isInManifest && rule.state === "staged" ? "staged" : userState;
      policyUsers.push({
        id: random.id("plusr_"),
        directory_user_id: user.id,
        ruleset_id: rule.ruleset_id,
        rule_id: rule.id,
        state,
        created_at: user.created_at,
        updated_at: user.updated_at,
        deleted_at: null,
        activated_at: state === "staged" ? null : user.provisioned_at,
        expires_at: state === "staged" ? null : user.expires_at,
      });
    }
  };

  const place = (department: (typeof names.departments)[number], title: string) => [
    departmentOf.get(department.name)!,
    divisionOf.get(department.division)!,
    titleOf.get(title)!,
    random.chance(0.05) ? unknownLocation : random.pick(locations),
    random.chance(0.05) ? unknownCostCenter : random.pick(costCenters),
  ];

  const secondaryTotal = Math.max(1, Math.round(userTotal * 0.04));
  const vicePresidentTotal = Math.max(2, Math.round(userTotal * 0.03));
  const managerTotal = Math.max(2, Math.round(userTotal * 0.12));
  const workerTotal = userTotal - secondaryTotal - vicePresidentTotal - managerTotal - 1;
  const corporate = names.departments[4];

  const chief = addUser({ person: randomPerson(), state: "active", manager: null, attributes: place(corporate, "Chief Executive") });
  const vicePresidents = Array.from({ length: vicePresidentTotal }, (_, index) => {
    const department = names.departments[index % names.departments.length];
    const attributes = place(department, "Vice President");
    return { department, user: addUser({ person: randomPerson(), state: "active", manager: chief, attributes }) };
  });
  const managers = Array.from({ length: managerTotal }, (_, index) => {
    const { department, user: manager } = vicePresidents[index % vicePresidentTotal];
    const state = index % 8 === 5 ? "expiring" : "active";
    const attributes = place(department, "Team Manager");
    return { department, user: addUser({ person: randomPerson(), state, manager, attributes }) };
  });
  for (let index = 0; index < workerTotal; index += 1) {
    const { department, user: manager } = index < managerTotal ? managers[index] : random.pick(managers);
    const state = stateCycle[index % stateCycle.length];
    const hasEnded = state === "expired" || state === "deactivated";
    const { last_name, ...changes } = nullWordPeople[index] ?? {};
    const special = names.specialPeople[index - 8];
    const person = { ...randomPerson(), ...special, ...(last_name && { last_name }) };
    const allAttributes = place(department, random.pick(department.titles));
    addUser({
      person,
      state,
      manager,
      attributes: state === "staged" ? allAttributes.slice(0, random.integer(0, 5)) : allAttributes,
      changes,
      isDeleted: index % 20 === 7 || (hasEnded && random.chance(0.15)) || index % 60 === 35,
      isPending: index % 30 === 2,
      belongsTo: random.chance(0.15) ? second : primary,
    });
  }

  // Secondary users: further accounts of the same person. The first parent has two.
  const parents = users.filter(({ state, deleted_at }) => state === "active" && !deleted_at).slice(3);
  for (let index = 0; index < secondaryTotal; index += 1) {
    const parent = parents[Math.max(0, index - 1) * 3 % parents.length];
    const { first_name, last_name, email } = parent;
    const handle = `${email.split("@")[0]}-${index === 1 ? "service" : "admin"}`;
    const changes = { parent_id: parent.id, badge_id: null, employee_id: null, employee_alt_id: null };
    const state = index === 3 ? "suspended" : "active";
    addUser({ person: { first_name, last_name, handle }, state, manager: null, attributes: [], changes, belongsTo: second });
  }

  // Workspace users: sign-in identities of most people.
  const workspaceUsers: Row[] = [];
  const roles: Row[] = [];
  const micro = (text: string | null) => text && text.replace("Z", `${random.integer(100, 999)}Z`);
  const microsBetween = (from: string, to: string) => micro(millisecondText(random.between(new Date(from), new Date(to))));
  for (const user of users.filter(({ parent_id, deleted_at }) => !parent_id && !deleted_at)) {
    if (!random.chance(0.75)) continue;
    const isDeleted = random.chance(0.06);
    const state = isDeleted || user.state === "suspended" ? "deactivated" : user.state;
    const isUsed = state !== "staged";
    const isDeprecated = isDeleted || state === "expired" || state === "deactivated";
    const endedAt = isDeleted ? microsecondText(random.past(new Date(user.updated_at))) : null;
    const authenticatedAt = isUsed ? microsBetween(user.created_at, user.deactivated_at ?? user.updated_at) : null;
    const workspaceUser: Row = {
      id: random.id("wsusr_"),
      directory_user_id: user.id,
      state,
      provider: random.pick(["workforce_idp", "workforce_idp", "native_idp", "consumer_account_idp"]),
      provider_id: isUsed ? random.id("") : null,
      name: user.full_name,
      handle: user.username,
      email: user.email,
      ui_mode: random.pick(["light", "dark", null]),
      ui_color: random.pick(["indigo", "emerald", "rose", null]),
      stored_count: storedCount(
        ["workspace_devices", "workspace_services", "workspace_logs_actor", ...logCounts, "workspace_logs_subject"],
        12,
      ),
      created_at: micro(user.created_at),
      updated_at: endedAt ?? micro(user.updated_at),
      deleted_at: endedAt,
      expires_at: isDeleted ? null : micro(user.expires_at),
      last_authenticated_at: authenticatedAt,
      last_activity_at: authenticatedAt && microsBetween(authenticatedAt, user.deactivated_at ?? user.updated_at),
    };
    workspaceUsers.push(workspaceUser);
    for (let index = random.integer(isDeprecated ? 1 : 0, 4); index > 0; index -= 1) {
      roles.push({
        id: random.id("wsrol_"),
        workspace_user_id: workspaceUser.id,
        name: names.roleNames[index],
        revoked_at: isDeprecated ? workspaceUser.updated_at : null,
      });
    }
  }

  const allRows = {
    workspace_integrations: [primary, second],
    directory_dimensions: dimensions,
    directory_attributes: attributes,
    directory_users: users,
    directory_user_attributes: userAttributes,
    directory_identities: identities,
    policy_rulesets: rulesets,
    policy_rules: rules,
    policy_conditions: conditions,
    policy_users: policyUsers,
    workspace_users: workspaceUsers,
    workspace_roles: roles,
  };
  for (const [table, rows] of Object.entries(allRows)) await db.batchInsert(table, rows, 50);
}
