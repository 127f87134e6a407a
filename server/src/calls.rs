//! Where an area names its calls, each once: the server routes what is named, and the OpenAPI
//! document describes it. A server's threads only route: describing every call would take each of
//! them 10 MB and half of its start.

use actix_web::dev::HttpServiceFactory;
use actix_web::web::ServiceConfig;
use utoipa::openapi::OpenApi;
use utoipa_actix_web::OpenApiFactory;

pub struct Calls<'a> {
    routes: &'a mut ServiceConfig,
    document: Option<&'a mut OpenApi>,
}

impl<'a> Calls<'a> {
    /// Of a server.
    pub fn routed(routes: &'a mut ServiceConfig) -> Self {
        Self {
            routes,
            document: None,
        }
    }

    /// To be described in this document. Nobody is served by these routes.
    pub fn described(routes: &'a mut ServiceConfig, document: &'a mut OpenApi) -> Self {
        Self {
            routes,
            document: Some(document),
        }
    }

    pub fn service<C>(&mut self, call: C) -> &mut Self
    where
        C: HttpServiceFactory + OpenApiFactory + 'static,
    {
        if let Some(document) = &mut self.document {
            document.paths.merge(call.paths());
            let mut schemas = Vec::new();
            call.schemas(&mut schemas);
            let components = document.components.get_or_insert_default();
            components.schemas.extend(schemas);
        }
        self.routes.service(call);
        self
    }

    /// The calls of an area.
    pub fn configure(&mut self, area: impl FnOnce(&mut Calls<'_>)) -> &mut Self {
        area(self);
        self
    }
}
