export type { CheckResult } from '../check.ts'
export { type IdentifyOptions, identify } from './identify.ts'
export { type InteractionOptions, identifyOnInteraction } from './identify-on-interaction.ts'
export { type AgentAddress, type AgentModule, load } from './load.ts'
