//! Traces for an OpenTelemetry collector.

use std::collections::HashMap;

use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::any_value::Value;
use opentelemetry_proto::tonic::trace::v1::Span;
use prost::Message;
use tokio::time::Duration;

use crate::fixture::{OWNER, Server, Shop, WAIT_TIMEOUT, http, plain_orders};
use crate::push_service::PushService;

/// The collector of the tests is any HTTP server that keeps what it is sent.
struct Collector {
    service: PushService,
    spans: Vec<Span>,
}

impl Collector {
    async fn start() -> Self {
        let service = PushService::start().await;
        Self {
            service,
            spans: Vec::new(),
        }
    }

    /// Reads until a span of this name is there, and gives it.
    async fn span(&mut self, name: &str) -> Span {
        self.find(|span| span.name == name).await
    }

    /// As `span`, of the same trace as another.
    async fn span_beside(&mut self, other: &Span, name: &str) -> Span {
        self.find(|span| span.trace_id == other.trace_id && span.name == name)
            .await
    }

    async fn find(&mut self, is_wanted: impl Fn(&Span) -> bool) -> Span {
        loop {
            if let Some(span) = self.spans.iter().find(|span| is_wanted(span)) {
                return span.clone();
            }
            let export = self.service.pushed().await;
            assert_eq!(export.path, "/v1/traces");
            assert_eq!(export.headers["authorization"], "Bearer collector's");
            let export = ExportTraceServiceRequest::decode(&*export.body).unwrap();
            for resource in export.resource_spans {
                let of = attributes(&resource.resource.unwrap().attributes);
                assert_eq!(of["service.name"], "dispatch");
                let scopes = resource.scope_spans.into_iter();
                self.spans.extend(scopes.flat_map(|scope| scope.spans));
            }
        }
    }
}

fn attributes(of: &[opentelemetry_proto::tonic::common::v1::KeyValue]) -> HashMap<String, String> {
    let pairs = of.iter().map(|pair| {
        let value = pair.value.clone().and_then(|any| any.value);
        let text = match value {
            Some(Value::StringValue(text)) => text,
            Some(Value::IntValue(number)) => number.to_string(),
            other => panic!("{}: {other:?}", pair.key),
        };
        (pair.key.clone(), text)
    });
    pairs.collect()
}

fn traced(shop: &mut Shop) {
    let headers = "authorization=Bearer%20collector's".to_owned();
    shop.environment
        .push(("OTEL_EXPORTER_OTLP_HEADERS", headers));
    let often = "50".to_owned();
    shop.environment.push(("OTEL_BSP_SCHEDULE_DELAY", often));
}

#[tokio::test]
async fn a_trace_shows_where_a_changes_time_goes_and_nobodys_data() {
    let mut collector = Collector::start().await;
    let mut shop = Shop::new();
    traced(&mut shop);
    let endpoint = collector.service.origin.clone();
    let server = Server::start_in(shop, &["--otlp-endpoint", &endpoint]).await;
    let owner = server.hire(OWNER, "Owner").await;
    server.shop.import(&plain_orders(1)).await;
    owner.change_priority(1, 3).await.good();
    owner.get("/api/repair-orders/search?q=Sullivan").await;

    let request = collector
        .span("POST /api/repair-orders/update-priority")
        .await;
    let change = collector
        .span_beside(&request, "change of a repair order")
        .await;
    assert_eq!(change.parent_span_id, request.span_id);
    let commit = collector.span_beside(&request, "commit").await;
    assert_eq!(commit.parent_span_id, change.span_id);
    let of = attributes(&request.attributes);
    assert_eq!(of["http.request.method"], "POST");
    assert_eq!(of["http.response.status_code"], "200");
    assert!(server.shop.read("server.log").contains("has started"));

    collector.span("GET /api/repair-orders/search").await;
    let everything = format!("{:?}", collector.spans);
    for text in ["Sullivan", "127.0.0.1", OWNER, &owner.token] {
        assert!(!everything.contains(text), "{text}");
    }
}

#[tokio::test]
async fn a_collector_that_is_away_delays_nobody_and_is_reported() {
    let mut shop = Shop::new();
    traced(&mut shop);
    // Nothing listens at the discard port.
    let server = Server::start_in(shop, &["--otlp-endpoint", "http://127.0.0.1:9"]).await;
    let owner = server.hire(OWNER, "Owner").await;
    server.shop.import(&plain_orders(1)).await;
    owner.get("/api/repair-orders/1").await.good();
    let begun = std::time::Instant::now();
    while !server.shop.read("server.log").contains("opentelemetry") {
        assert!(begun.elapsed() < WAIT_TIMEOUT, "the log says nothing of it");
        tokio::time::sleep(Duration::from_millis(100)).await;
        http().get(server.url("/healthz")).send().await.unwrap();
    }
}

#[tokio::test]
async fn an_endpoint_that_is_no_address_is_refused() {
    let shop = Shop::new();
    for endpoint in ["127.0.0.1:4318", "https://key:secret@otel.example.com"] {
        let refused = shop
            .command(&["serve", "--otlp-endpoint", endpoint])
            .output();
        let refused = refused.await.unwrap();
        let said = String::from_utf8(refused.stderr).unwrap();
        assert_eq!(refused.status.code(), Some(2), "{said}");
        assert!(said.contains("use the collector's address"), "{said}");
    }
}
