import {
  CASE_OPERATIONS,
  DECISION_RULE_OPERATIONS,
  ENTITY_OPERATIONS,
  FIND_OPERATIONS,
  IDENTIFICATION_OPERATIONS,
  LABEL_OPERATIONS,
  LIST_OPERATIONS,
  PATTERN_OPERATIONS,
} from '@inkling/contract/account'
import { z } from 'zod'
import { caseOperations } from '../account/cases.ts'
import { decisionRuleOperations } from '../account/decision-rules.ts'
import { entityOperations } from '../account/entities.ts'
import { findOperations } from '../account/find.ts'
import { identificationOperations } from '../account/identifications.ts'
import { labelOperations } from '../account/labels.ts'
import { listOperations } from '../account/lists.ts'
import { patternOperations } from '../account/patterns.ts'
import { type Performable, performable } from '../account/perform.ts'

/** A tool that answers what an operation of the account API answers, or a part of it. */
export interface ReadingTool {
  name: string
  title: string
  description: string
  run: Performable
  /** The parts of the answer that are returned; all of them without this. */
  parts?: readonly string[]
}

/** Rows take room in the context of a model. */
const Limit = z.int().min(1).max(50).default(10).describe('Entries of a page, at most 50')

export const READING_TOOLS: readonly ReadingTool[] = [
  {
    name: 'find_anything',
    title: 'Find whatever a text names',
    description:
      'Start here with an ID, the beginning of one, an account, an address, a network, an AS number, a country, or the name of a case or pattern.',
    run: performable(FIND_OPERATIONS.findAnything, findOperations.findAnything),
  },
  {
    name: 'search_identifications',
    title: 'Search identifications',
    description:
      'Identifications of browsers that pass all given filters, one page at a time. A score below 30 is trusted, 30 to 59 suspicious, 60 and more dangerous.',
    run: performable(
      IDENTIFICATION_OPERATIONS.searchIdentifications,
      identificationOperations.searchIdentifications,
    ),
  },
  {
    name: 'explain_identification',
    title: 'Explain an identification',
    description:
      'Why one identification has its score: points and evidence of each signal, what was suppressed, clear or unknown, what was decided, velocity, list entries, labels and patterns.',
    run: performable(IDENTIFICATION_OPERATIONS.getIdentification, identificationOperations.getIdentification),
    parts: ['row', 'band', 'explanation', 'labels', 'patterns'],
  },
  {
    name: 'get_entity',
    title: 'Summarise an entity',
    description:
      'One device, visitor, account, address or local address: when it was seen, scores, patterns, labels, velocity, and what occurs with it.',
    run: performable(ENTITY_OPERATIONS.getEntity, entityOperations.getEntity),
    parts: [
      'type',
      'value',
      'aliases',
      'first_seen_at',
      'last_seen_at',
      'identifications',
      'complete',
      'average_score',
      'highest_score',
      'bands',
      'patterns',
      'part_of',
      'labels',
      'velocity',
      'linked',
    ],
  },
  {
    name: 'get_neighbours',
    title: 'Get the neighbours of an entity in the graph',
    description:
      'The identifiers that occur together with one entity, as nodes and weighted edges. Ask again for a neighbour to go further.',
    run: performable(ENTITY_OPERATIONS.getEntity, entityOperations.getEntity),
    parts: ['type', 'value', 'graph'],
  },
  {
    name: 'list_patterns',
    title: 'List findings of abuse patterns',
    description: 'Entities on which a pattern of abuse was found, such as many accounts on one device.',
    run: performable(PATTERN_OPERATIONS.listPatterns, patternOperations.listPatterns),
  },
  {
    name: 'get_pattern',
    title: 'Get a finding with its evidence',
    description: 'One finding by its number, with the identifiers and identifications that it rests on.',
    run: performable(PATTERN_OPERATIONS.getPattern, patternOperations.getPattern),
  },
  {
    name: 'list_cases',
    title: 'List cases',
    description: 'Cases for people to look at, the one that is due first comes first.',
    run: performable(CASE_OPERATIONS.listCases, caseOperations.listCases),
  },
  {
    name: 'get_case',
    title: 'Get a case with its timeline',
    description: 'One case by its number, with notes, evidence and decision.',
    run: performable(CASE_OPERATIONS.getCase, caseOperations.getCase),
  },
  {
    name: 'list_list_entries',
    title: 'Search the allow, deny and watch lists',
    description: 'Entries of the lists of the domain, newest first.',
    run: performable(LIST_OPERATIONS.listEntries, listOperations.listEntries),
  },
  {
    name: 'list_labels',
    title: 'Search labels',
    description: 'Labels such as fraud, chargeback or legitimate, newest first.',
    run: performable(LABEL_OPERATIONS.listLabels, labelOperations.listLabels),
  },
  {
    name: 'list_decision_rules',
    title: 'List decision rules',
    description: 'The rules and thresholds by which the domain decides, with their hits by day.',
    run: performable(DECISION_RULE_OPERATIONS.listDecisionRules, decisionRuleOperations.listDecisionRules),
  },
]

/** The arguments of a tool: the parameters of its operation but the domain, which the grant says. */
export function inputOf({ run: { operation } }: Pick<ReadingTool, 'run'>): z.ZodRawShape {
  const { domain: _domain, ...params } = operation.params?.shape ?? {}
  const { limit, ...query } = operation.query?.shape ?? {}
  const named = Object.entries({ ...params, ...query }).filter(([name]) => !name.startsWith('not_'))
  return { ...Object.fromEntries(named), ...(limit && { limit: Limit }) }
}
