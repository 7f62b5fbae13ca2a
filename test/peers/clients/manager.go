package main

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/client/clientset/clientset"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

var gizmo = schema.GroupVersionKind{Group: "go.example.com", Version: "v1", Kind: "Gizmo"}

const finalizer = "go.example.com/finalizer"

func definitions(ctx context.Context, config *rest.Config) (any, error) {
	config.ContentType = "application/vnd.kubernetes.protobuf"
	config.AcceptContentTypes = "application/vnd.kubernetes.protobuf,application/json"
	extensions, err := clientset.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	preserve := true
	created, err := extensions.ApiextensionsV1().CustomResourceDefinitions().Create(ctx, &apiextensionsv1.CustomResourceDefinition{
		ObjectMeta: metav1.ObjectMeta{Name: "gizmos.go.example.com"},
		Spec: apiextensionsv1.CustomResourceDefinitionSpec{
			Group: gizmo.Group, Scope: apiextensionsv1.NamespaceScoped,
			Names: apiextensionsv1.CustomResourceDefinitionNames{Plural: "gizmos", Kind: gizmo.Kind},
			Versions: []apiextensionsv1.CustomResourceDefinitionVersion{{
				Name: gizmo.Version, Served: true, Storage: true,
				Subresources: &apiextensionsv1.CustomResourceSubresources{Status: &apiextensionsv1.CustomResourceSubresourceStatus{}},
				Schema: &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: &apiextensionsv1.JSONSchemaProps{
					Type: "object",
					Properties: map[string]apiextensionsv1.JSONSchemaProps{
						"spec": {Type: "object", Properties: map[string]apiextensionsv1.JSONSchemaProps{
							"size": {Type: "integer", Default: &apiextensionsv1.JSON{Raw: []byte("7")}},
						}},
						"status": {Type: "object", XPreserveUnknownFields: &preserve},
					},
				}},
			}},
		},
	}, metav1.CreateOptions{})
	if err != nil {
		return nil, err
	}
	err = until(ctx, func() (bool, error) {
		current, err := extensions.ApiextensionsV1().CustomResourceDefinitions().Get(ctx, created.Name, metav1.GetOptions{})
		if err != nil {
			return false, err
		}
		for _, condition := range current.Status.Conditions {
			if condition.Type == apiextensionsv1.Established && condition.Status == apiextensionsv1.ConditionTrue {
				return true, nil
			}
		}
		return false, nil
	})
	return map[string]any{"list kind": created.Spec.Names.ListKind}, err
}

// reconciler owns a config map for each gizmo, writes its status, and holds its deletion until the map is gone.
type reconciler struct {
	client client.Client
}

func newGizmo() *unstructured.Unstructured {
	object := &unstructured.Unstructured{}
	object.SetGroupVersionKind(gizmo)
	return object
}

func (r *reconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	object := newGizmo()
	if err := r.client.Get(ctx, request.NamespacedName, object); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	owned := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: object.GetName(), Namespace: object.GetNamespace()}}
	if !object.GetDeletionTimestamp().IsZero() {
		if err := client.IgnoreNotFound(r.client.Delete(ctx, owned)); err != nil {
			return ctrl.Result{}, err
		}
		controllerutil.RemoveFinalizer(object, finalizer)
		return ctrl.Result{}, client.IgnoreNotFound(r.client.Update(ctx, object))
	}
	if controllerutil.AddFinalizer(object, finalizer) {
		return ctrl.Result{}, r.client.Update(ctx, object)
	}
	_, err := controllerutil.CreateOrUpdate(ctx, r.client, owned, func() error {
		size, _, _ := unstructured.NestedInt64(object.Object, "spec", "size")
		owned.Data = map[string]string{"size": fmt.Sprint(size)}
		return controllerutil.SetControllerReference(object, owned, r.client.Scheme())
	})
	if err != nil {
		return ctrl.Result{}, err
	}
	before := object.DeepCopy()
	if err := unstructured.SetNestedField(object.Object, true, "status", "ready"); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.client.Status().Patch(ctx, object, client.MergeFrom(before))
}

func manager(ctx context.Context, config *rest.Config) (any, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	release := 5 * time.Second
	made, err := ctrl.NewManager(config, ctrl.Options{
		Metrics:                 server.Options{BindAddress: "0"},
		HealthProbeBindAddress:  "0",
		LeaderElection:          true,
		LeaderElectionID:        "go-clients-manager",
		LeaderElectionNamespace: namespace,
		GracefulShutdownTimeout: &release,
		Cache:                   cache.Options{DefaultNamespaces: map[string]cache.Config{namespace: {}}},
	})
	if err != nil {
		return nil, err
	}
	if err := ctrl.NewControllerManagedBy(made).Named("gizmo").For(newGizmo()).Owns(&corev1.ConfigMap{}).Complete(&reconciler{client: made.GetClient()}); err != nil {
		return nil, err
	}
	stopped := make(chan error, 1)
	go func() { stopped <- made.Start(ctx) }()
	if !made.GetCache().WaitForCacheSync(ctx) {
		return nil, fmt.Errorf("the manager's cache never synced")
	}
	facts, err := exercise(ctx, made.GetClient())
	cancel()
	if stop := <-stopped; err == nil {
		err = stop
	}
	return facts, err
}

func exercise(ctx context.Context, reader client.Client) (any, error) {
	object := newGizmo()
	object.SetName("managed")
	object.SetNamespace(namespace)
	object.Object["spec"] = map[string]any{}
	if err := reader.Create(ctx, object); err != nil {
		return nil, err
	}
	key := client.ObjectKeyFromObject(object)
	owned := &corev1.ConfigMap{}
	err := until(ctx, func() (bool, error) {
		current := newGizmo()
		if reader.Get(ctx, key, current) != nil || reader.Get(ctx, key, owned) != nil {
			return false, nil
		}
		ready, _, _ := unstructured.NestedBool(current.Object, "status", "ready")
		return ready, nil
	})
	if err != nil {
		return nil, fmt.Errorf("it never became ready: %w", err)
	}
	if err := reader.Delete(ctx, object); err != nil {
		return nil, err
	}
	err = until(ctx, func() (bool, error) {
		return client.IgnoreNotFound(reader.Get(ctx, key, newGizmo())) == nil && reader.Get(ctx, key, newGizmo()) != nil, nil
	})
	return map[string]any{"size": owned.Data["size"], "owner": owned.OwnerReferences[0].Kind}, err
}
