import type { ReadingName, ReadingValues } from '@inkling/contract'

/** The function that reads each reading, typed by the contract. It may take its time. */
export type Sources = { [Name in ReadingName]: () => ReadingValues[Name] | Promise<ReadingValues[Name]> }

/** Thrown by a source whose browser lacks what it needs. Anything else that is thrown means that the source broke. */
export class Unsupported extends Error {}
