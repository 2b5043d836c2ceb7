import HTTPTypes
import Hummingbird

/// A web page without scripts, images or fonts, for light and dark mode.
struct HTMLPage: Sendable {
    let title: String
    /// The error in the submitted form, which screen readers announce first; `nil` if there is no error.
    var problem: String?
    let content: HTML

    func makeResponse(status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status,
            headers: [
                .contentType: "text/html; charset=utf-8", .cacheControl: "no-store",
                .contentSecurityPolicy:
                    "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'",
                .xContentTypeOptions: "nosniff",
            ],
            body: ResponseBody(byteBuffer: ByteBuffer(string: document.text)))
    }

    private var document: HTML {
        let alert: HTML = problem.map { "<p class=\"problem\" role=\"alert\">\($0)</p>\n" } ?? .empty
        return """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="referrer" content="same-origin">
            <title>\(title) - Cuti-E sandbox</title>
            <style>\(Self.style)</style>
            </head>
            <body>
            <main>
            <p class="where">Cuti-E sandbox</p>
            <h1>\(title)</h1>
            \(alert)\(content)
            </main>
            </body>
            </html>

            """
    }

    private static let style: HTML = """
        :root { color-scheme: light dark; --ink: #1d2b2f; --paper: #f3f6f6; --card: #fff; --line: #8a989c;
          --main: #0b6b6f; --on-main: #fff; --bad: #a3231c; }
        @media (prefers-color-scheme: dark) { :root { --ink: #e8eeee; --paper: #121a1c; --card: #1b2628;
          --line: #7c8b8f; --main: #6fd0d2; --on-main: #06282a; --bad: #ff9d94; } }
        * { box-sizing: border-box; }
        body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
        main { max-width: 27rem; margin: 6vh auto; padding: 2rem; background: var(--card);
          border-radius: .9rem; }
        h1 { margin: 0 0 1rem; font-size: 1.5rem; line-height: 1.25; }
        .where { margin: 0; opacity: .75; font-size: .875rem; }
        .problem { border-left: .25rem solid var(--bad); padding-left: .75rem; color: var(--bad); }
        .code { font: 600 1.75rem/1.5 ui-monospace, monospace; letter-spacing: .12em; }
        label { display: block; margin: 1rem 0 .25rem; font-weight: 600; }
        .hint { margin: .25rem 0 0; font-size: .875rem; opacity: .8; }
        input { width: 100%; padding: .6rem .75rem; font: inherit; color: inherit; background: transparent;
          border: 1px solid var(--line); border-radius: .5rem; }
        button { margin: 1.5rem .5rem 0 0; padding: .6rem 1.25rem; font: inherit; font-weight: 600;
          color: var(--on-main); background: var(--main); border: 1px solid var(--main);
          border-radius: .5rem; cursor: pointer; }
        button.second { color: inherit; background: transparent; border-color: var(--line); }
        a { color: var(--main); }
        :focus-visible { outline: 3px solid var(--main); outline-offset: 2px; }
        """
}

extension HTTPField.Name {
    fileprivate static let xContentTypeOptions = Self("X-Content-Type-Options") ?? .contentType
}

extension Response {
    /// Returns a redirect with the status 303, so that the browser loads the other page with GET.
    static func seeOther(location url: String) -> Response {
        Response(status: .seeOther, headers: [.location: url, .cacheControl: "no-store"])
    }
}

/// A labeled input field of a form.
struct HTMLField {
    let name: String
    let label: String
    var type = "text"
    var value = ""
    /// The `autocomplete` attribute of the input field.
    var autocomplete = "off"
    var hint: String?

    var html: HTML {
        let hint: HTML = hint.map { "<p class=\"hint\" id=\"\(name)-hint\">\($0)</p>" } ?? .empty
        let described: HTML = self.hint == nil ? .empty : " aria-describedby=\"\(name)-hint\""
        return """
            <label for="\(name)">\(label)</label>
            <input id="\(name)" name="\(name)" type="\(type)" value="\(value)" autocomplete="\(autocomplete)" \
            required\(described)>
            \(hint)

            """
    }
}

/// An HTML form that the browser submits to `action`, together with the form token (see `BrowserSession`).
struct PageForm {
    let action: Issuer.Path
    let session: BrowserSession
    var hidden: [(name: String, value: String?)] = []
    var fields: [HTMLField] = []
    /// The submit buttons. The Enter key activates the first button.
    let buttons: [Button]

    struct Button {
        let label: String
        var decision: String?
    }

    var html: HTML {
        let hidden = ([("form_token", session.formToken)] + hidden).compactMap { name, value in
            value.map { HTML("<input type=\"hidden\" name=\"\(name)\" value=\"\($0)\">\n") }
        }
        let buttons = buttons.enumerated().map { index, button -> HTML in
            let name: HTML = button.decision.map { " name=\"decision\" value=\"\($0)\"" } ?? .empty
            return "<button\(index == 0 ? HTML.empty : " class=\"second\"")\(name)>\(button.label)</button>\n"
        }
        return """
            <form method="post" action="\(action.rawValue)">
            \(hidden)\(fields.map(\.html))\(buttons)</form>

            """
    }
}
