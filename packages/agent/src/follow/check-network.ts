import type { NetworkCheckTask, NetworkReport } from '@inkling/contract'

/** Without an answer browsers try for about ten seconds; the score does not wait that long. */
const LIMIT_MS = 5_000

/**
 * Makes the browser send packets to the server's TURN responder over every transport, so that the server sees the
 * address they come from. With only relayed candidates, none of the machine's own addresses is looked up
 * (https://www.rfc-editor.org/rfc/rfc8828).
 */
export async function checkNetwork({ urls, username, credential }: NetworkCheckTask): Promise<NetworkReport> {
  if (typeof RTCPeerConnection !== 'function') return { outcome: 'unsupported', answered: false }
  let connection: RTCPeerConnection | undefined
  try {
    const peer = new RTCPeerConnection({
      iceTransportPolicy: 'relay',
      iceServers: urls.map((url) => ({ urls: url, username, credential })),
    })
    connection = peer
    let answered = false
    // 701 means that nothing came back; lower codes are the responder's own
    // (https://w3c.github.io/webrtc-pc/#dom-rtcpeerconnectioniceerrorevent-errorcode).
    peer.addEventListener('icecandidateerror', ({ errorCode }) => {
      if (errorCode < 700) answered = true
    })
    const gathered = new Promise<void>((resolve) => {
      setTimeout(resolve, LIMIT_MS)
      peer.addEventListener('icegatheringstatechange', () => {
        if (peer.iceGatheringState === 'complete') resolve()
      })
    })
    peer.createDataChannel('')
    await peer.setLocalDescription(await peer.createOffer())
    await gathered
    return { outcome: 'complete', answered }
  } catch {
    return { outcome: 'failed', answered: false }
  } finally {
    connection?.close()
  }
}
