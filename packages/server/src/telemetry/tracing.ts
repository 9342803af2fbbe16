import type { FastifyInstance } from 'fastify'

/** Traces requests, their steps, and background tasks. */
export interface Tracing {
  /** Runs work as a span of the current request; without a request, just runs it. */
  step<Result>(name: string, work: () => Result): Result
  /** Runs work outside the current request. */
  apart(work: () => void): void
  /** Runs work as a trace of its own. */
  task<Result>(
    name: string,
    work: () => Promise<Result>,
    attributesOf: (result: Result) => Attributes,
  ): Promise<Result>
  /** Starts a trace for each request to the routes of `scope`. */
  watchRequests(scope: FastifyInstance): void
  /** Resolves when all spans have been exported. */
  close(): Promise<void>
}

/** Attributes of a span. They must not contain addresses, identifiers or keys. */
export type Attributes = Record<string, string | number>

export const noTracing: Tracing = {
  step: (_name, work) => work(),
  apart: (work) => work(),
  task: (_name, work) => work(),
  watchRequests: () => undefined,
  close: () => Promise.resolve(),
}
