import type { Migration } from 'kysely/migration'
import { createFirstTables } from './0001-initial.ts'
import { indexUnlistedKeysById } from './0002-newest-unlisted-keys.ts'
import { addDomainVolume } from './0003-domain-volume.ts'
import { createServerSettings } from './0003-server-settings.ts'
import { addIpv6Addresses } from './0004-ipv6-addresses.ts'
import { indexOtherAddresses } from './0005-erasure.ts'
import { addEndpointFailures } from './0005-webhook-endpoints.ts'
import { addPeople } from './0006-people.ts'
import { addStoredBytes } from './0008-stored-bytes.ts'
import { addUserKey } from './0009-user-key.ts'
import { createAgentPolicies } from './0012-agent-policies.ts'
import { addDeclaredAgents } from './0014-declared-agents.ts'
import { createVelocity } from './0015-velocity.ts'
import { createListsAndLabels } from './0016-lists-and-labels.ts'
import { createDecisionRules } from './0017-decision-rules.ts'
import { createDecisions } from './0018-decisions.ts'
import { addDecisionPages } from './0019-decision-pages.ts'
import { addVerdictKeys } from './0020-verdict-keys.ts'
import { addDeviceChanges } from './0023-device-changes.ts'
import { createCases } from './0024-cases.ts'
import { dropTriggers } from './0029-no-triggers.ts'
import { createAlerts } from './0030-alerts.ts'
import { createSavedViews } from './0031-saved-views.ts'
import { createApiKeys } from './0032-api-keys.ts'
import { createAssistants } from './0033-assistants.ts'
import { addFalseMergeCost } from './0036-false-merge-cost.ts'
import { createDomainMembers } from './0038-domain-members.ts'
import { createChangeFeed } from './0039-change-feed.ts'
import { createColdStorage } from './0040-cold-storage.ts'
import { createNodes } from './0041-nodes.ts'
import { indexAuditByTarget } from './0042-audit-of-domains.ts'
import { indexDecisionsByTime } from './0043-decisions-by-time.ts'
import { addDomainsOfInvitations } from './0044-invitations-into-domains.ts'
import { addInvitedInto } from './0045-invited-users.ts'
import { createRecentRequests } from './0046-recent-requests.ts'
import { createKeySweep } from './0047-key-sweep.ts'
import { createUnscrubbedDomains } from './0048-unscrubbed-domains.ts'
import { addChangingAt } from './0049-changing-counts.ts'
import { createBackTestTable } from './0050-back-tests.ts'
import { indexOutboxOfEndpoint } from './0051-outbox-of-endpoint.ts'
import { addScrubbedKeys } from './0051-scrubbed-keys.ts'
import { addCookieKey } from './0052-verdicts-of-cookies.ts'

/** All migrations of PostgreSQL. Append new ones, each in a file of its own; databases record these names. */
export const POSTGRES_MIGRATIONS = {
  '0001-initial': { up: createFirstTables },
  '0002-newest-unlisted-keys': { up: indexUnlistedKeysById },
  '0003-domain-volume': { up: addDomainVolume },
  '0003-server-settings': { up: createServerSettings },
  '0004-ipv6-addresses': { up: addIpv6Addresses },
  '0005-erasure': { up: indexOtherAddresses },
  '0005-webhook-endpoints': { up: addEndpointFailures },
  '0006-people': { up: addPeople },
  '0008-stored-bytes': { up: addStoredBytes },
  '0009-user-key': { up: addUserKey },
  '0012-agent-policies': { up: createAgentPolicies },
  '0014-declared-agents': { up: addDeclaredAgents },
  '0015-velocity': { up: createVelocity },
  '0016-lists-and-labels': { up: createListsAndLabels },
  '0017-decision-rules': { up: createDecisionRules },
  '0018-decisions': { up: createDecisions },
  '0019-decision-pages': { up: addDecisionPages },
  '0020-verdict-keys': { up: addVerdictKeys },
  '0023-device-changes': { up: addDeviceChanges },
  '0024-cases': { up: createCases },
  '0029-no-triggers': { up: dropTriggers },
  '0030-alerts': { up: createAlerts },
  '0031-saved-views': { up: createSavedViews },
  '0032-api-keys': { up: createApiKeys },
  '0033-assistants': { up: createAssistants },
  '0036-false-merge-cost': { up: addFalseMergeCost },
  '0038-domain-members': { up: createDomainMembers },
  '0039-change-feed': { up: createChangeFeed },
  '0040-cold-storage': { up: createColdStorage },
  '0041-nodes': { up: createNodes },
  '0042-audit-of-domains': { up: indexAuditByTarget },
  '0043-decisions-by-time': { up: indexDecisionsByTime },
  '0044-invitations-into-domains': { up: addDomainsOfInvitations },
  '0045-invited-users': { up: addInvitedInto },
  '0046-recent-requests': { up: createRecentRequests },
  '0047-key-sweep': { up: createKeySweep },
  '0048-unscrubbed-domains': { up: createUnscrubbedDomains },
  '0049-changing-counts': { up: addChangingAt },
  '0050-back-tests': { up: createBackTestTable },
  '0051-outbox-of-endpoint': { up: indexOutboxOfEndpoint },
  '0051-scrubbed-keys': { up: addScrubbedKeys },
  '0052-verdicts-of-cookies': { up: addCookieKey },
} satisfies Record<string, Migration>
