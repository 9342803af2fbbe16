import { SIGNAL_CATALOGUE } from '@inkling/contract'
import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

interface SignalLinkProps {
  domain: string
  name: string
  children: ReactNode
}

/** Links to what a signal means. A name that this release does not know is plain text. */
export const SignalLink = ({ domain, name, children }: SignalLinkProps) =>
  Object.hasOwn(SIGNAL_CATALOGUE, name) ? (
    <Anchor
      inherit
      renderRoot={(props) => (
        <Link {...props} to="/d/$domain/signals/$signal" params={{ domain, signal: name }} />
      )}
    >
      {children}
    </Anchor>
  ) : (
    children
  )
