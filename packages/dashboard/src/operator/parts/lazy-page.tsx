import type { RouteComponent } from '@tanstack/react-router'
import { type ComponentType, createElement, use, useState } from 'react'
import { ApiError } from '../api/request.ts'
import { ErrorAlert } from './feedback.tsx'

type Module<Name extends string> = Readonly<Record<Name, ComponentType>>

/**
 * A page whose code loads when it is first opened. If that fails, it says so in its place; the router's own
 * `lazyRouteComponent` would reload the document, which loses everything while the server is down.
 */
export function lazyPage<Name extends string>(load: () => Promise<Module<Name>>, name: Name): RouteComponent {
  let page: ComponentType | undefined
  let loading: Promise<void> | undefined
  let failed = false

  function preload(): Promise<void> {
    loading ??= load()
      .then(
        (module) => {
          page = module[name]
        },
        () => {
          failed = true
        },
      )
      .finally(() => {
        loading = undefined
      })
    return loading
  }

  function Page() {
    if (page) return createElement(page)
    if (failed) return <NotLoaded />
    use(preload())
    return null
  }
  return Object.assign(Page, { preload })
}

/** Tries again by loading the whole document, but only once the server answers. */
function NotLoaded() {
  const [tries, setTries] = useState(1)
  async function retry(): Promise<void> {
    try {
      await fetch(document.baseURI, { method: 'HEAD', cache: 'no-store' })
    } catch {
      setTries(tries + 1)
      return
    }
    // A browser remembers files that failed to load, and after an update they have other names.
    window.location.reload()
  }
  const times = tries === 1 ? '' : ` after ${tries} attempts`
  return (
    <ErrorAlert
      error={new ApiError(0, `This page could not be loaded${times}: the server cannot be reached.`)}
      retry={() => void retry()}
    />
  )
}
