import { AgentRules } from '@inkling/contract'
import { Command } from 'commander'
import { readConfig } from '../composition/config.ts'
import { readCatalogue } from '../enrich/agents/catalogue.ts'
import { agentPolicyStore, readAgentRules } from '../store/domains/agent-policies.ts'
import { auditStore, COMMAND_LINE } from '../store/users/users.ts'
import { isJson, print } from './command-line.ts'
import { readJsonFile } from './read-input.ts'
import { inSession } from './session.ts'

/** `inkling agents`: declared agents, and what happens to their requests. */
export function agentsCommand(): Command {
  const command = new Command('agents').description('show declared agents, and a domain’s rules for them')

  command
    .command('list')
    .description('list the agents of the catalogue')
    .action(async (_options, self: Command) => {
      const { agents } = await readCatalogue(readConfig(process.env).AGENTS)
      print(
        agents.map(({ id, name, operator, category }) => ({ id, name, operator, category })),
        isJson(self),
      )
    })

  command
    .command('rules <domain>')
    .description('show the rules of a domain, or save those of a file as a new version and use them')
    .option('--set <file>', 'JSON array of rules; - reads it from standard input')
    .option('--note <text>', 'reason, for the history of versions', '')
    .action(async (name: string, { set, note }: { set?: string; note: string }, self: Command) => {
      const rules = set === undefined ? undefined : await readJsonFile(set, AgentRules, 'INK_COMMAND')
      const saved = await inSession(async ({ store, domain }) => {
        const { id } = await domain(name)
        if (!rules) return (await agentPolicyStore(store.reads).list(id)).find(({ active }) => active === 1)
        return store.writes.transaction().execute(async (transaction) => {
          const nowMs = Date.now()
          const row = await agentPolicyStore(transaction).save(
            id,
            { rules, note, actor: COMMAND_LINE },
            nowMs,
          )
          const detail = { rules: row.rules, note }
          await auditStore(transaction).add(
            { actor: COMMAND_LINE, action: 'agents.save', target: name, detail },
            nowMs,
          )
          return row
        })
      })
      print({ version: saved?.version ?? null, rules: saved ? readAgentRules(saved) : [] }, isJson(self))
    })

  return command
}
