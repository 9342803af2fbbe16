import { browserPath } from '../src/browsers.ts'
import type { Configuration } from '../src/configuration.ts'
import { fillInByMcp, PLAYWRIGHT_TOOLS } from '../src/drive/mcp.ts'

export const playwrightMcp: Configuration = {
  id: 'playwright-mcp',
  title: 'Playwright MCP, which launches a headful browser on a desktop',
  kind: 'automation',
  family: 'assistant',
  engine: 'chromium',
  packages: ['@playwright/mcp'],
  display: 'desktop',
  isPrivate: false,
  acts: true,
  run: (visit) =>
    fillInByMcp(
      visit,
      {
        program: '@playwright/mcp/cli.js',
        args: [
          '--executable-path',
          browserPath('chromium'),
          '--no-sandbox',
          '--user-data-dir',
          visit.profile,
        ],
      },
      PLAYWRIGHT_TOOLS,
    ),
}
