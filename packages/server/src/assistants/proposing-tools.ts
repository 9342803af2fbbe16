import { PROPOSABLE, type ProposableName } from '@inkling/contract/account'
import { z } from 'zod'

/** A tool that stores a proposal and does nothing else. */
export interface ProposingTool {
  name: string
  title: string
  description: string
  operation: ProposableName
  /** Fields of the body that the assistant does not choose. */
  fixed?: Readonly<Record<string, unknown>>
}

export const PROPOSING_TOOLS: readonly ProposingTool[] = [
  {
    name: 'propose_list_entry',
    title: 'Propose an entry of a list',
    description: 'An entry of the allow, deny or watch list.',
    operation: 'saveListEntry',
  },
  {
    name: 'propose_label',
    title: 'Propose a label',
    description: 'A label such as fraud or legitimate on an identifier.',
    operation: 'saveLabel',
  },
  {
    name: 'propose_case',
    title: 'Propose to open a case',
    description: 'A case about an entity or a finding, with evidence if you name some.',
    operation: 'openCase',
  },
  {
    name: 'propose_case_note',
    title: 'Propose a note or evidence for a case',
    description: 'A note, a visit or a finding to add to a case.',
    operation: 'addToCase',
  },
  {
    name: 'propose_case_decision',
    title: 'Propose the decision of a case',
    description: 'The decision that closes a case, with a label and a list entry if they should follow.',
    operation: 'decideCase',
  },
  {
    name: 'propose_shadow_rule',
    title: 'Propose a decision rule in shadow',
    description: 'A rule that is evaluated and counted, and decides nothing until an owner turns it on.',
    operation: 'addDecisionRule',
    fixed: { state: 'shadow' },
  },
]

export const AFTER_PROPOSAL =
  'Nothing has changed. A person confirms or declines this in the dashboard within 24 hours; tell them so.'

const Why = z
  .string()
  .trim()
  .min(1)
  .max(1_000)
  .describe('Why, with what you rest it on; the person who decides reads it')

/** The arguments of a tool: the parameters of its operation but the domain, its body, and why. */
export function proposingInput({ operation, fixed = {} }: ProposingTool): z.ZodRawShape {
  const chosen = Object.entries(PROPOSABLE[operation].body.shape).filter(([name]) => !(name in fixed))
  return { ...paramsOf(operation), ...Object.fromEntries(chosen), why: Why }
}

/** Divides the arguments of a tool into parameters, body and reason. */
export function proposalOf({ operation, fixed = {} }: ProposingTool, args: Record<string, unknown>) {
  const { why, ...given } = args
  const inPath = Object.keys(paramsOf(operation))
  const entries = Object.entries(given).filter(([, value]) => value !== undefined)
  return {
    operation,
    params: Object.fromEntries(entries.filter(([name]) => inPath.includes(name))),
    body: { ...Object.fromEntries(entries.filter(([name]) => !inPath.includes(name))), ...fixed },
    why: String(why),
  }
}

function paramsOf(operation: ProposableName): z.ZodRawShape {
  const { domain: _domain, ...params }: z.ZodRawShape = PROPOSABLE[operation].params.shape
  return params
}
