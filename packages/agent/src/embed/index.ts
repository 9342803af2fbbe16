export type { CheckResult } from '../check.ts'
export { type AgentAddress, type AgentModule, type IdentifyOptions, identify, load } from './identify.ts'
export { type InteractionOptions, identifyOnInteraction } from './identify-on-interaction.ts'
export { placeHoneytokens } from './place-honeytokens.ts'
