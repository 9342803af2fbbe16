import type { Configuration } from '../src/configuration.ts'
import { withConnectable } from '../src/drive/connected-browser.ts'
import { fillInByMcp, PLAYWRIGHT_TOOLS } from '../src/drive/mcp.ts'

export const playwrightMcpConnected: Configuration = {
  id: 'playwright-mcp-connected',
  title: 'Playwright MCP, connected to a browser on a desktop',
  kind: 'automation',
  family: 'assistant',
  engine: 'chromium',
  packages: ['@playwright/mcp'],
  display: 'desktop',
  isPrivate: false,
  acts: true,
  run: (visit) =>
    withConnectable(visit.profile, [], (socketUrl) =>
      fillInByMcp(
        visit,
        { program: '@playwright/mcp/cli.js', args: ['--cdp-endpoint', socketUrl] },
        PLAYWRIGHT_TOOLS,
      ),
    ),
}
