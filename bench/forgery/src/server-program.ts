import { registerDomain } from '../../../packages/server/src/auth/register-domain.ts'
import { openServerSecrets } from '../../../packages/server/src/auth/server-secrets.ts'
import { readConfig } from '../../../packages/server/src/composition/config.ts'
import { startServer } from '../../../packages/server/src/composition/start-server.ts'
import { addEndpoint } from '../../../packages/server/src/deliver/webhook-endpoints.ts'
import { createLog } from '../../../packages/server/src/lib/log.ts'
import { createSecretBox } from '../../../packages/server/src/lib/secret-box.ts'
import { domainStore } from '../../../packages/server/src/store/domains/domains.ts'
import { openStore } from '../../../packages/server/src/store/open-store.ts'
import type { ServerSettings, ServerTask } from './installation.ts'

/** An Inkling like `inkling serve`, except that its parent can move its clock. */

const { environment, domains, webhookUrl, aheadMs } = JSON.parse(process.argv[2] ?? '') as ServerSettings
let ahead = aheadMs
const now = (): number => Date.now() + ahead

const config = readConfig(environment)
const store = await openStore({ dataDir: config.DATA_DIR })
const box = createSecretBox((await openServerSecrets(store.secrets)).secret_box_key)
const keys = []
for (const name of domains) {
  keys.push(await registerDomain(store, name, now()))
  const row = await domainStore(store.reads).find(name)
  await addEndpoint(store, box, row?.id ?? 0, webhookUrl, now())
}
await store.close()

const server = await startServer(config, createLog(config.LOG_LEVEL, config.LOG_PRIVACY), now)
process.on('message', (task: ServerTask) => {
  ahead = task.aheadMs
  process.send?.('done')
})
process.once('disconnect', () => void server.close().finally(() => process.exit(0)))
process.send?.(keys)
