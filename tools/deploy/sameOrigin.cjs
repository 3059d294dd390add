/**
 * Keeps web pages out of the local server's answers. serverless-offline lets the page of any `Origin` read them, with
 * credentials, and no setting turns that off; a request without the header gets no such permission.
 */
const { subscribe } = require('node:diagnostics_channel');

function answerNoOrigin() {
  subscribe('http.server.request.start', ({ request }) => {
    delete request.headers.origin;
  });
}

module.exports = { answerNoOrigin };
