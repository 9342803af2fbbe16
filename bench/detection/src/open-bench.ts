import { openBenchSite } from './bench-site.ts'
import type { Bench } from './measure-run.ts'
import { startService } from './start-service.ts'

/** Everything that runs have in common: the site, and an Inkling that sends it its events. */
export async function openBench(): Promise<Bench & { close(): Promise<void> }> {
  const site = await openBenchSite()
  const service = await startService(site.webhookUrl)
  site.agentUrl = service.agentUrl
  return {
    site,
    service,
    async close() {
      site.close()
      await service.stop()
    },
  }
}
