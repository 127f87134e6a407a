//! A browser as far as signing in needs one: it keeps cookies, is led from place to place, and
//! fills in forms.

use reqwest::header::{COOKIE, HeaderMap, HeaderValue, LOCATION, SET_COOKIE};
use reqwest::redirect::Policy;
use reqwest::{Method, RequestBuilder, Url};
use serde_json::Value;

use crate::fixture::Server;

pub struct Browser {
    http: reqwest::Client,
    pub cookies: Vec<Kept>,
}

#[derive(Clone, Debug)]
pub struct Kept {
    /// Whatever the port, as browsers have it.
    host: String,
    path: String,
    pub name: String,
    pub value: String,
    /// As it was set.
    pub whole: String,
}

/// The result of one request; no redirect is followed.
#[derive(Debug)]
pub struct Page {
    pub url: Url,
    pub status: u16,
    pub headers: HeaderMap,
    pub text: String,
}

impl Browser {
    pub fn new() -> Self {
        Self::with_headers(HeaderMap::new())
    }

    /// Behind a proxy that speaks HTTPS with it, and says so.
    pub fn by_https() -> Self {
        let mut headers = HeaderMap::new();
        headers.insert("X-Forwarded-Proto", HeaderValue::from_static("https"));
        Self::with_headers(headers)
    }

    fn with_headers(headers: HeaderMap) -> Self {
        // Fails only when another test installed it already.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let http = reqwest::Client::builder()
            .no_proxy()
            .tls_certs_only([])
            .default_headers(headers)
            .redirect(Policy::none())
            .pool_max_idle_per_host(0)
            .build()
            .unwrap();
        Self {
            http,
            cookies: Vec::new(),
        }
    }

    pub async fn get(&mut self, url: Url) -> Page {
        self.ask(Method::GET, url, &[]).await
    }

    pub async fn ask(&mut self, method: Method, url: Url, form: &[(&str, &str)]) -> Page {
        let mut request = self.http.request(method, url.clone());
        if !form.is_empty() {
            let body = serde_urlencoded::to_string(form).unwrap();
            request = request
                .header("Content-Type", "application/x-www-form-urlencoded")
                .body(body);
        }
        self.send(request, url).await
    }

    async fn send(&mut self, mut request: RequestBuilder, url: Url) -> Page {
        let cookies: Vec<String> = self
            .cookies
            .iter()
            .filter(|kept| Some(kept.host.as_str()) == url.host_str())
            .filter(|kept| url.path().starts_with(&kept.path))
            .map(|kept| format!("{}={}", kept.name, kept.value))
            .collect();
        if !cookies.is_empty() {
            request = request.header(COOKIE, cookies.join("; "));
        }
        let answer = request.send().await.unwrap();
        let (status, headers) = (answer.status().as_u16(), answer.headers().clone());
        for set in headers.get_all(SET_COOKIE) {
            self.keep(&url, set.to_str().unwrap());
        }
        Page {
            url,
            status,
            headers,
            text: answer.text().await.unwrap(),
        }
    }

    fn keep(&mut self, url: &Url, whole: &str) {
        let mut parts = whole.split(';').map(str::trim);
        let (name, value) = parts.next().unwrap().split_once('=').unwrap();
        let path = parts.clone().find_map(|part| {
            part.to_lowercase()
                .strip_prefix("path=")
                .map(|_| part[5..].to_owned())
        });
        let host = url.host_str().unwrap().to_owned();
        let path = path.unwrap_or_else(|| "/".to_owned());
        self.cookies
            .retain(|kept| (&kept.host, &kept.path, kept.name.as_str()) != (&host, &path, name));
        let removed = value.is_empty() || parts.any(|part| part.eq_ignore_ascii_case("max-age=0"));
        if !removed {
            self.cookies.push(Kept {
                host,
                path,
                name: name.to_owned(),
                value: value.to_owned(),
                whole: whole.to_owned(),
            });
        }
    }

    pub fn cookie(&self, name: &str) -> Option<&Kept> {
        // Some names end with the port.
        let is_named = |kept: &&Kept| {
            let rest = kept.name.strip_prefix(name);
            rest.is_some_and(|rest| {
                rest.trim_start_matches('_')
                    .bytes()
                    .all(|b| b.is_ascii_digit())
            })
        };
        self.cookies.iter().find(is_named)
    }

    /// Presses the button of our page, and leaves for the provider: its address, and what it is asked
    /// for.
    pub async fn start(&mut self, server: &Server) -> Url {
        let start = server.url("/api/auth/oidc/start").parse().unwrap();
        let page = self.ask(Method::POST, start, &[]).await;
        assert_eq!(page.status, 200, "{page:?}");
        let location = page.json()["result"]["location"].take();
        location.as_str().unwrap().parse().unwrap()
    }

    /// Sends what a form of our page says.
    pub async fn post(&mut self, url: String, body: &Value) -> Page {
        let request = self.http.post(url.clone()).json(body);
        self.send(request, url.parse().unwrap()).await
    }

    /// Signs in with the provider's own forms, if it asks, and gives the address that leads back.
    pub async fn at_provider(&mut self, start: Url, person: &str) -> Url {
        let mut page = self.get(start.clone()).await;
        for _ in 0..20 {
            match page.status {
                302 | 303 => {
                    let next = page.led_to();
                    if next.origin() != start.origin() {
                        return next;
                    }
                    page = self.get(next).await;
                }
                200 => {
                    let (action, prompt) = page.form();
                    let form = match prompt.as_str() {
                        "login" => vec![("prompt", "login"), ("login", person), ("password", "x")],
                        _ => vec![("prompt", "consent")],
                    };
                    page = self.ask(Method::POST, action, &form).await;
                }
                _ => break,
            }
        }
        panic!("{page:?}");
    }

    /// The whole way: where our server leads to in the end, from its own address.
    pub async fn sign_in(&mut self, server: &Server, person: &str) -> String {
        let start = self.start(server).await;
        let back = self.at_provider(start, person).await;
        self.get(back).await.leads_home()
    }
}

impl Page {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|_| panic!("{self:?}"))
    }

    #[track_caller]
    pub fn refused(&self, status: u16, code: &str) {
        let body = self.json();
        assert_eq!(
            (self.status, body["code"].as_str()),
            (status, Some(code)),
            "{body}"
        );
        assert!(!self.headers.contains_key(SET_COOKIE), "{self:?}");
    }

    pub fn location(&self) -> &str {
        let location = self.headers.get(LOCATION);
        location.expect("it leads somewhere").to_str().unwrap()
    }

    fn led_to(&self) -> Url {
        self.url.join(self.location()).unwrap()
    }

    /// The address it leads to, which is our own whatever is made of it.
    pub fn leads_home(&self) -> String {
        assert_eq!(self.status, 302, "{self:?}");
        let location = self.location().to_owned();
        assert!(
            ["/", "/login/link"].contains(&location.as_str())
                || location.starts_with("/login?error=oidc-"),
            "{location}"
        );
        location
    }

    /// Where the page's form goes, and which it is.
    pub fn form(&self) -> (Url, String) {
        let after = |mark: &str| {
            let rest = self.text.split_once(mark);
            let (_, rest) = rest.unwrap_or_else(|| panic!("no {mark} in {}", self.text));
            rest.split('"').next().unwrap().to_owned()
        };
        let action = after("<form autocomplete=\"off\" action=\"");
        let prompt = after("name=\"prompt\" value=\"");
        (self.url.join(&action).unwrap(), prompt)
    }
}
