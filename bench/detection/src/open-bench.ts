import { openBenchSite } from './bench-site.ts'
import type { Bench } from './measure-run.ts'
import { startService } from './start-service.ts'

/** Shared by all runs: the site, and an Inkling that sends its events to the site. */
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
