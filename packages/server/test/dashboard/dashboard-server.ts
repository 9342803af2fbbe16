import { addUser } from '../../src/auth/users.ts'
import { ROOMY_SETTINGS } from '../contract/roomy-settings.ts'
import { startTestServer, type TestServer, type TestServerOptions } from '../running-server.ts'

export const PASSWORD = 'correct horse battery'
export const OWNER = 'owner@shop.example'
export const ANALYST = 'analyst@shop.example'

/** A whole server with an owner and an analyst. The caller closes it. */
export async function startDashboardServer(
  options: TestServerOptions = {},
): Promise<TestServer & { close(): Promise<void> }> {
  const server = await startTestServer({ ...options, settings: { ...ROOMY_SETTINGS, ...options.settings } })
  const by = { actor: 'test', nowMs: Date.now() }
  await addUser(server.store, { email: OWNER, password: PASSWORD, role: 'owner' }, by)
  await addUser(server.store, { email: ANALYST, password: PASSWORD, role: 'analyst' }, by)
  return server
}
