import type { Migration } from 'kysely/migration'
import { FIRST_MIGRATIONS } from './0001-to-0003.ts'
import { NEXT_MIGRATIONS } from './0004-to-0008.ts'
import { addDomainVolume } from './0009-domain-volume.ts'
import { createServerSettings } from './0009-server-settings.ts'
import { addIpv6Addresses } from './0010-ipv6-addresses.ts'
import { addInstallation } from './0011-erasure.ts'
import { addEndpointFailures } from './0011-webhook-endpoints.ts'
import { addPeople } from './0012-people.ts'
import { addStoredBytes } from './0014-stored-bytes.ts'
import { addUserKey } from './0015-user-key.ts'
import { createAgentPolicies } from './0018-agent-policies.ts'
import { addDeclaredAgents } from './0020-declared-agents.ts'
import { createVelocity } from './0021-velocity.ts'
import { createListsAndLabels } from './0022-lists-and-labels.ts'
import { createDecisionRules } from './0023-decision-rules.ts'
import { createDecisions } from './0024-decisions.ts'
import { addDecisionPages } from './0025-decision-pages.ts'
import { addVerdictKeys } from './0026-verdict-keys.ts'
import { addDeviceChanges } from './0029-device-changes.ts'
import { createCases } from './0030-cases.ts'
import { createVelocityLog } from './0031-velocity-log.ts'
import { createAlerts } from './0032-alerts.ts'
import { createSavedViews } from './0033-saved-views.ts'
import { createApiKeys } from './0034-api-keys.ts'
import { createAssistants } from './0035-assistants.ts'
import { addFalseMergeCost } from './0038-false-merge-cost.ts'
import { createDomainMembers } from './0040-domain-members.ts'
import { createChangeFeed } from './0041-change-feed.ts'
import { createColdStorage } from './0042-cold-storage.ts'
import { createNodes } from './0043-nodes.ts'
import { indexAuditByTarget } from './0044-audit-of-domains.ts'
import { indexDecisionsByTime } from './0045-decisions-by-time.ts'
import { addDomainsOfInvitations } from './0046-invitations-into-domains.ts'
import { addInvitedInto } from './0047-invited-users.ts'
import { createKeySweep } from './0048-key-sweep.ts'
import { createUnscrubbedDomains } from './0049-unscrubbed-domains.ts'
import { indexOutboxByEndpoint } from './0050-outbox-by-endpoint.ts'
import { addChangingAt } from './0051-changing-counts.ts'
import { createBackTestTable } from './0052-back-tests.ts'
import { indexOutboxOfEndpoint } from './0053-outbox-of-endpoint.ts'
import { addScrubbedKeys } from './0053-scrubbed-keys.ts'
import { addCookieKey } from './0054-verdicts-of-cookies.ts'
import { writeIndexStatistics } from './0055-index-statistics.ts'
import { indexOutboxOfVisit } from './0055-outbox-of-visit.ts'

/** All migrations of the embedded database. Append new ones, each in a file of its own; databases record these names. */
export const SQLITE_MIGRATIONS = {
  ...FIRST_MIGRATIONS,
  ...NEXT_MIGRATIONS,
  '0009-domain-volume': { up: addDomainVolume },
  '0009-server-settings': { up: createServerSettings },
  '0010-ipv6-addresses': { up: addIpv6Addresses },
  '0011-erasure': { up: addInstallation },
  '0011-webhook-endpoints': { up: addEndpointFailures },
  '0012-people': { up: addPeople },
  '0014-stored-bytes': { up: addStoredBytes },
  '0015-user-key': { up: addUserKey },
  '0018-agent-policies': { up: createAgentPolicies },
  '0020-declared-agents': { up: addDeclaredAgents },
  '0021-velocity': { up: createVelocity },
  '0022-lists-and-labels': { up: createListsAndLabels },
  '0023-decision-rules': { up: createDecisionRules },
  '0024-decisions': { up: createDecisions },
  '0025-decision-pages': { up: addDecisionPages },
  '0026-verdict-keys': { up: addVerdictKeys },
  '0029-device-changes': { up: addDeviceChanges },
  '0030-cases': { up: createCases },
  '0031-velocity-log': { up: createVelocityLog },
  '0032-alerts': { up: createAlerts },
  '0033-saved-views': { up: createSavedViews },
  '0034-api-keys': { up: createApiKeys },
  '0035-assistants': { up: createAssistants },
  '0038-false-merge-cost': { up: addFalseMergeCost },
  '0040-domain-members': { up: createDomainMembers },
  '0041-change-feed': { up: createChangeFeed },
  '0042-cold-storage': { up: createColdStorage },
  '0043-nodes': { up: createNodes },
  '0044-audit-of-domains': { up: indexAuditByTarget },
  '0045-decisions-by-time': { up: indexDecisionsByTime },
  '0046-invitations-into-domains': { up: addDomainsOfInvitations },
  '0047-invited-users': { up: addInvitedInto },
  '0048-key-sweep': { up: createKeySweep },
  '0049-unscrubbed-domains': { up: createUnscrubbedDomains },
  '0050-outbox-by-endpoint': { up: indexOutboxByEndpoint },
  '0051-changing-counts': { up: addChangingAt },
  '0052-back-tests': { up: createBackTestTable },
  '0053-outbox-of-endpoint': { up: indexOutboxOfEndpoint },
  '0053-scrubbed-keys': { up: addScrubbedKeys },
  '0054-verdicts-of-cookies': { up: addCookieKey },
  '0055-index-statistics': { up: writeIndexStatistics },
  '0055-outbox-of-visit': { up: indexOutboxOfVisit },
} satisfies Record<string, Migration>
