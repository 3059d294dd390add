/** Shown where the server would tell nothing: the page has no token, or one of an earlier start. */
export function NoToken() {
  return (
    <main class="alone">
      <h1>Open the studio by its whole address</h1>
      <p>
        <code>npm start</code> prints it first:
      </p>
      <pre>{location.origin}/#token=…</pre>
      <p>
        The token at its end keeps other pages and programs out. It is a new one at each start, and each tab
        asks for it once.
      </p>
    </main>
  );
}
