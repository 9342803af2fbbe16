/** Weights of a domain's own. */
export interface DomainRulesTables {
  domain_rules: DomainRulesTable
}

/** One version as it was saved. Only `active` ever changes. */
export interface DomainRulesTable {
  domain_id: number
  /** 1 for a domain's first one. */
  version: number
  created_at: number
  /** E-mail address of whoever saved it. */
  actor: string
  note: string
  /** JSON object of points by signal name. */
  weights: string
  /** 1 for the one that scores visits; where none has it, the weights of the release do. */
  active: number
}
