import type { FastifyInstance } from 'fastify'

/** Tells how long work took, and within which work it was done. */
export interface Tracing {
  /** Runs a step of the request under way; with none under way it is only run. */
  step<Result>(name: string, work: () => Result): Result
  /** Starts what is not part of the request under way. */
  apart(work: () => void): void
  /** Runs work that is a whole of its own. */
  task<Result>(
    name: string,
    work: () => Promise<Result>,
    tell: (result: Result) => Attributes,
  ): Promise<Result>
  /** Makes each request to the routes of `scope` the whole that its steps are part of. */
  watchRequests(scope: FastifyInstance): void
  /** Resolves when what was noted has been handed over. */
  close(): Promise<void>
}

/** Facts of a span: never an address, an identifier or a key. */
export type Attributes = Record<string, string | number>

export const noTracing: Tracing = {
  step: (_name, work) => work(),
  apart: (work) => work(),
  task: (_name, work) => work(),
  watchRequests: () => undefined,
  close: () => Promise.resolve(),
}
