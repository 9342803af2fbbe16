import type { Configuration } from '../src/configuration.ts'
import { withConnectable } from '../src/drive/connected-browser.ts'
import { DEVTOOLS_TOOLS, fillInByMcp } from '../src/drive/mcp.ts'

export const devtoolsMcp: Configuration = {
  id: 'devtools-mcp',
  title: 'Chrome DevTools MCP, connected to a browser on a desktop',
  kind: 'automation',
  family: 'assistant',
  engine: 'chromium',
  packages: ['chrome-devtools-mcp'],
  display: 'desktop',
  isPrivate: false,
  acts: true,
  run: (visit) =>
    withConnectable(visit.profile, [], (socketUrl) =>
      fillInByMcp(
        visit,
        {
          program: 'chrome-devtools-mcp/build/src/bin/chrome-devtools-mcp.js',
          args: ['--wsEndpoint', socketUrl],
        },
        DEVTOOLS_TOOLS,
      ),
    ),
}
