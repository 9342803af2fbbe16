import type { AccountOperationName } from '@inkling/contract/account'
import { listAudit } from './audit/list-audit.ts'
import { listDeliveries } from './deliveries/list-deliveries.ts'
import { addDomain } from './domains/add-domain.ts'
import { changeDomain } from './domains/change-domain.ts'
import { getDomain } from './domains/get-domain.ts'
import { listDomains } from './domains/list-domains.ts'
import { rotateKey } from './domains/rotate-key.ts'
import { addEndpoint } from './endpoints/add-endpoint.ts'
import { changeEndpoint } from './endpoints/change-endpoint.ts'
import { listEndpoints } from './endpoints/list-endpoints.ts'
import { pingEndpoint } from './endpoints/ping-endpoint.ts'
import { removeEndpoint } from './endpoints/remove-endpoint.ts'
import { rotateSecret } from './endpoints/rotate-secret.ts'
import { testEndpoint } from './endpoints/test-endpoint.ts'
import { getEntity } from './entities/get-entity.ts'
import { listFeeds } from './feeds/list-feeds.ts'
import { updateFeeds } from './feeds/update-feeds.ts'
import type { Handler } from './handler.ts'
import { getSystemHealth } from './health/get-system-health.ts'
import { exportIdentifications } from './identifications/export-identifications.ts'
import { getIdentification } from './identifications/get-identification.ts'
import { searchIdentifications } from './identifications/search-identifications.ts'
import { getOverview } from './overview/get-overview.ts'
import { getOverviewValues } from './overview/get-overview-values.ts'
import { exportPatterns } from './patterns/export-patterns.ts'
import { getPattern } from './patterns/get-pattern.ts'
import { listPatterns } from './patterns/list-patterns.ts'
import { eraseIdentifier } from './privacy/erase-identifier.ts'
import { exportIdentifier } from './privacy/export-identifier.ts'
import { cancelBackTest } from './rules/cancel-back-test.ts'
import { chooseRules } from './rules/choose-rules.ts'
import { getBackTest } from './rules/get-back-test.ts'
import { getRules } from './rules/get-rules.ts'
import { saveRules } from './rules/save-rules.ts'
import { startBackTest } from './rules/start-back-test.ts'
import { getMe } from './session/get-me.ts'
import { login } from './session/login.ts'
import { logout } from './session/logout.ts'
import { refreshSession } from './session/refresh-session.ts'
import { addUser } from './users/add-user.ts'
import { changeUser } from './users/change-user.ts'
import { listUsers } from './users/list-users.ts'
import { removeUser } from './users/remove-user.ts'

/** What does each operation of the table; one without is a compile error. */
export const HANDLERS: { [Name in AccountOperationName]: Handler<Name> } = {
  login,
  refreshSession,
  logout,
  getMe,
  listUsers,
  addUser,
  changeUser,
  removeUser,
  listDomains,
  addDomain,
  getDomain,
  changeDomain,
  rotateKey,
  listEndpoints,
  addEndpoint,
  changeEndpoint,
  removeEndpoint,
  pingEndpoint,
  testEndpoint,
  rotateSecret,
  listDeliveries,
  searchIdentifications,
  exportIdentifications,
  getIdentification,
  getEntity,
  getOverview,
  getOverviewValues,
  listPatterns,
  exportPatterns,
  getPattern,
  eraseIdentifier,
  exportIdentifier,
  getRules,
  saveRules,
  chooseRules,
  startBackTest,
  getBackTest,
  cancelBackTest,
  listFeeds,
  updateFeeds,
  getSystemHealth,
  listAudit,
}
