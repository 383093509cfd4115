// Makes a blend tree from a table that Motionloom wrote. Put this file into a folder named Editor, and the table
// with its clips anywhere below Assets; select the table and choose Assets > Motionloom > Make Blend Tree.

using System;
using System.IO;
using System.Linq;
using UnityEditor;
using UnityEditor.Animations;
using UnityEngine;

public static class MotionloomBlendSpaces
{
    [Serializable] class Axis { public string name; public float min; public float max; }
    [Serializable] class Marker { public string name; public float time; public float normalized; }
    [Serializable] class Clip { public string name; public string file; public float[] position; public Marker[] markers; }
    [Serializable] class Table { public string format; public string name; public bool loop; public string root_motion; public Axis[] axes; public Clip[] clips; }

    [MenuItem("Assets/Motionloom/Make Blend Tree", true)]
    static bool CanMake() => Selection.activeObject is TextAsset;

    [MenuItem("Assets/Motionloom/Make Blend Tree")]
    static void Make()
    {
        var asset = (TextAsset)Selection.activeObject;
        var table = JsonUtility.FromJson<Table>(asset.text);
        if (table.format != "motionloom blend space")
        {
            Debug.LogError(asset.name + " is no table of a blend space: select the .json file that Motionloom wrote.");
            return;
        }
        var folder = Path.GetDirectoryName(AssetDatabase.GetAssetPath(asset)).Replace('\\', '/');
        var controller = AnimatorController.CreateAnimatorControllerAtPath(folder + "/" + table.name + ".controller");
        foreach (var axis in table.axes)
            controller.AddParameter(new AnimatorControllerParameter {
                name = axis.name, type = AnimatorControllerParameterType.Float, defaultFloat = (axis.min + axis.max) / 2 });
        controller.CreateBlendTreeInController(table.name, out BlendTree tree);
        tree.useAutomaticThresholds = false;
        tree.blendType = table.axes.Length == 1 ? BlendTreeType.Simple1D : BlendTreeType.FreeformCartesian2D;
        tree.blendParameter = table.axes[0].name;
        if (table.axes.Length > 1) tree.blendParameterY = table.axes[1].name;
        foreach (var clip in table.clips)
        {
            var path = folder + "/" + clip.file;
            SetUpImport(path, clip, table);
            var motion = AssetDatabase.LoadAllAssetsAtPath(path).OfType<AnimationClip>()
                .FirstOrDefault(each => !each.name.StartsWith("__preview__"));
            if (motion == null)
            {
                Debug.LogError("No animation was found in " + path + ": the blend tree lacks it.");
                continue;
            }
            if (table.axes.Length == 1) tree.AddChild(motion, clip.position[0]);
            else tree.AddChild(motion, new Vector2(clip.position[0], clip.position[1]));
        }
        EditorUtility.SetDirty(tree);
        AssetDatabase.SaveAssets();
    }

    // Only models, such as .fbx, have an importer with these settings.
    static void SetUpImport(string path, Clip clip, Table table)
    {
        if (!(AssetImporter.GetAtPath(path) is ModelImporter importer)) return;
        if (table.root_motion == "root")
        {
            var root = importer.transformPaths.FirstOrDefault(each => each == "root" || each.EndsWith("/root"));
            if (root != null) importer.motionNodeName = root;
        }
        var imported = importer.defaultClipAnimations.Take(1).ToArray();
        foreach (var one in imported)
        {
            one.name = clip.name;
            one.loopTime = table.loop;
            one.events = clip.markers.Select(marker => new AnimationEvent {
                functionName = "OnSyncMarker", stringParameter = marker.name, time = marker.normalized,
                messageOptions = SendMessageOptions.DontRequireReceiver }).ToArray();
        }
        importer.clipAnimations = imported;
        importer.SaveAndReimport();
    }
}
