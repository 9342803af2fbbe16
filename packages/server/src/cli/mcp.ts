import { Command } from 'commander'
import { publicUrls, readConfig } from '../composition/config.ts'
import { AppError } from '../lib/errors.ts'

/** `inkling mcp`: lets an AI assistant read the History of one domain, with that domain's key. */
export function mcpCommand(): Command {
  return new Command('mcp')
    .description('serve read-only tools over the Model Context Protocol on standard input and output')
    .action(async () => {
      const { history } = publicUrls(readConfig(process.env))
      const apiKey = process.env.INKLING_API_KEY
      if (!apiKey)
        throw new AppError('INK_COMMAND', "set INKLING_API_KEY to the domain's Private API Key (sec_…)")
      // Loaded here, so that other commands start faster.
      const [{ StdioServerTransport }, { createMcpServer }, { compileCondition }, { listFacts }] =
        await Promise.all([
          import('@modelcontextprotocol/sdk/server/stdio.js'),
          import('../mcp/create-mcp-server.ts'),
          import('../decide/compile-condition.ts'),
          import('../decide/condition-facts.ts'),
        ])
      const conditions = {
        check(condition: string) {
          const compiled = compileCondition(condition)
          return compiled.valid ? { valid: true } : compiled
        },
        facts: () => listFacts(),
      }
      await createMcpServer({ historyUrl: history, apiKey, conditions }).connect(new StdioServerTransport())
    })
}
