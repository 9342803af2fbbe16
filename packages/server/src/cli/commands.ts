import type { Command } from 'commander'

/** The commands, loaded when they are needed: most of them run for less time than all of them take to load. */
export const COMMANDS: Record<string, () => Promise<Command>> = {
  serve: async () => (await import('./serve.ts')).serveCommand(),
  domain: async () => (await import('./domain.ts')).domainCommand(),
  key: async () => (await import('./key.ts')).keyCommand(),
  webhook: async () => (await import('./webhook.ts')).webhookCommand(),
  user: async () => (await import('./user.ts')).userCommand(),
  erase: async () => (await import('./erase.ts')).eraseCommand(),
  rescore: async () => (await import('./rescore.ts')).rescoreCommand(),
  rules: async () => (await import('./decision-rules.ts')).decisionRulesCommand(),
  agents: async () => (await import('./agents.ts')).agentsCommand(),
  list: async () => (await import('./lists.ts')).listCommand(),
  labels: async () => (await import('./labels.ts')).labelsCommand(),
  feeds: async () => (await import('./feeds.ts')).feedsCommand(),
  mcp: async () => (await import('./mcp.ts')).mcpCommand(),
  backup: async () => (await import('./backup.ts')).backupCommand(),
  restore: async () => (await import('./backup.ts')).restoreCommand(),
  'migrate-store': async () => (await import('./migrate-store.ts')).migrateStoreCommand(),
  distribute: async () => (await import('./distribute.ts')).distributeCommand(),
  doctor: async () => (await import('./doctor.ts')).doctorCommand(),
}
