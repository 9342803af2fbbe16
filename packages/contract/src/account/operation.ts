import type { z } from 'zod'
import type { DomainRight } from './roles.ts'

/**
 * What an operation requires: nothing, the refresh cookie of a session, the access token of any user or of an owner of
 * the installation, or the access token of somebody with a right. That right is needed in the domain of the path; where
 * the path names none, in any domain.
 */
export type Access = 'anyone' | 'cookie' | 'user' | 'owner' | DomainRight

/** One operation of the account API: the server mounts it, the dashboard calls it, the reference describes it. */
export interface AccountOperation {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** With its parameters in braces: `/account/domains/{domain}`. */
  path: `/account/${string}`
  access: Access
  /** What a request needs besides if its body has these fields. */
  fieldAccess?: Readonly<Record<string, DomainRight | 'owner'>>
  /** Whether the user must have proven who they are within the last minutes. */
  proof?: 'recent'
  summary: string
  description?: string
  /** The parameters of the path, in its order. */
  params?: z.ZodObject
  query?: z.ZodObject
  body?: z.ZodObject
  /** For a body that is longer than others may be. */
  bodyBytesMax?: number
  /** The body of a success; a `file` is streamed, `nothing` is a 204. */
  answer: z.ZodType | 'file' | 'nothing'
  /** 201 where the operation creates what it answers. */
  status?: 201
  /** The texts of errors that not every operation has, by status. */
  errors?: {
    400?: string
    401?: string
    403?: string
    404?: string
    409?: string
    429?: string
    503?: string
  }
}

type Part<Operation, Key extends string> = Operation extends {
  [Known in Key]: infer Schema extends z.ZodType
}
  ? z.output<Schema>
  : undefined

/** A parsed request of an operation. */
export interface RequestOf<Operation extends AccountOperation> {
  params: Part<Operation, 'params'>
  query: Part<Operation, 'query'>
  body: Part<Operation, 'body'>
}

/** The body of an operation's success; undefined for nothing and for a file. */
export type AnswerOf<Operation extends AccountOperation> = Part<Operation, 'answer'>

type BodyExample<Operation> = Operation extends { body: infer Body extends z.ZodType }
  ? { body: z.input<Body> }
  : { body?: undefined }

type AnswerExample<Operation> = Operation extends { answer: infer Answer extends z.ZodType }
  ? { answer: z.output<Answer> }
  : { answer?: undefined }

/** One body and one answer of each operation of a resource, as the reference shows them. */
export type Examples<Operations extends Record<string, AccountOperation>> = {
  [Name in keyof Operations]: BodyExample<Operations[Name]> & AnswerExample<Operations[Name]>
}
