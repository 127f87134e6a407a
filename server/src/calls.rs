//! Where an area names its calls, each once: the server routes what is named, and the OpenAPI
//! document describes it. A server's threads only route: describing every call would take each of
//! them 10 MB and half of its start.

use std::collections::BTreeMap;

use actix_web::dev::HttpServiceFactory;
use actix_web::web::ServiceConfig;
use utoipa::openapi::OpenApi;
use utoipa::openapi::path::PathItem;
use utoipa_actix_web::OpenApiFactory;

pub struct Calls<'a> {
    routes: &'a mut ServiceConfig,
    purpose: Purpose<'a>,
}

enum Purpose<'a> {
    Route,
    Describe(&'a mut OpenApi),
    ListMethods(&'a mut MethodsOfPaths),
}

/// By the path as the document writes it; methods in capitals.
pub type MethodsOfPaths = BTreeMap<String, Vec<&'static str>>;

impl<'a> Calls<'a> {
    /// Of a server.
    pub fn routed(routes: &'a mut ServiceConfig) -> Self {
        Self {
            routes,
            purpose: Purpose::Route,
        }
    }

    /// To be described in this document. Nobody is served by these routes.
    pub fn described(routes: &'a mut ServiceConfig, document: &'a mut OpenApi) -> Self {
        Self {
            routes,
            purpose: Purpose::Describe(document),
        }
    }

    /// To have their methods listed, without what else the document says of them. Nobody is served by these routes.
    pub fn listed(routes: &'a mut ServiceConfig, methods: &'a mut MethodsOfPaths) -> Self {
        Self {
            routes,
            purpose: Purpose::ListMethods(methods),
        }
    }

    pub fn service<C>(&mut self, call: C) -> &mut Self
    where
        C: HttpServiceFactory + OpenApiFactory + 'static,
    {
        match &mut self.purpose {
            Purpose::Route => {}
            Purpose::Describe(document) => {
                document.paths.merge(call.paths());
                let mut schemas = Vec::new();
                call.schemas(&mut schemas);
                let components = document.components.get_or_insert_default();
                components.schemas.extend(schemas);
            }
            Purpose::ListMethods(listed) => {
                for (path, item) in call.paths().paths {
                    listed.entry(path).or_default().extend(methods(&item));
                }
            }
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

fn methods(item: &PathItem) -> impl Iterator<Item = &'static str> {
    [
        ("DELETE", &item.delete),
        ("GET", &item.get),
        ("PATCH", &item.patch),
        ("POST", &item.post),
        ("PUT", &item.put),
    ]
    .into_iter()
    .filter_map(|(name, call)| call.as_ref().map(|_| name))
}
